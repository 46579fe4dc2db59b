# What undeclared functions change of their arguments is changed in the program's own objects.
# file: cord.toml
[remote.work]
# file: kinds.py
class Box:
    def __init__(self, **values): self.__dict__.update(values)
class Slotted:
    __slots__ = ("a", "b")
class Other(Box): pass
# file: work.py
import kinds
def append(items, x): items.append(x); return len(items)
def sort(rows): rows.sort(key=lambda row: row["n"]); return rows
def put(d, **more): d.update(more)
def deep(tree): tree["a"][0]["b"].append(tree["a"]); return tree["a"][0]["b"]
def swap(pair): pair[0], pair[1] = pair[1], pair[0]
def fill(box): box.extra = [box]; box.items.append(1); del box.gone
def slots(s): s.a = 5; del s.b
def become(box): box.__class__ = kinds.Other
def add(s, *xs): s.update(xs); s.discard(0)
def bytes_(b): b.extend(b"xyz"); b[0] = 65
def fails(items): items.append("before"); raise ValueError("after", len(items))
def same(x): return x
def both(a, b): a.append(b); return a is b
def nothing(items): return sum(items)
def pop(q, n): return [q.popleft() for _ in range(n)]
def count(c, text): c.update(text)
def draw(rng): return round(rng.random(), 6)
def take(it): return next(it, None)
def kw(*, into, values): into[:] = values; return into
def order(o): o.move_to_end("a"); o["z"] = 1
def default(d): d["x"].append(1); return len(d)
def clear(d): d.clear()
def rename(t): t[1].append(2); return t
# file: main.py
import collections, random
import kinds, work
items = [1]; alias = items
print(work.append(items, 2), items, alias is items)
rows = [{"n": 3}, {"n": 1}, {"n": 2}]; first = rows[0]
result = work.sort(rows)
print(rows, rows[2] is first, result is rows)
d = {"a": 1}; print(work.put(d, b=2, c=[3]), d)
tree = {"a": [{"b": []}]}; inner = tree["a"][0]["b"]
out = work.deep(tree); print(out is inner, inner[0] is tree["a"])
x, y = [1], [2]; pair = [x, y]; work.swap(pair); print(pair[0] is y, pair[1] is x)
box = kinds.Box(items=[], gone=1); held = box.items
work.fill(box); print(sorted(vars(box)), box.extra[0] is box, held)
s = kinds.Slotted(); s.a = 1; s.b = 2; work.slots(s); print(s.a, hasattr(s, "b"))
work.become(box); print(type(box).__name__, isinstance(box, kinds.Other))
numbers = {0, 1}; work.add(numbers, 2, 3); print(sorted(numbers))
data = bytearray(b"abc"); work.bytes_(data); print(data)
for _ in range(2):
    try: work.fails(items)
    except ValueError as error: print(error.args, items)
print(work.same(items) is items, work.same(box) is box, work.same((items, 1))[0] is items)
a = []; print(work.both(a, a), len(a), a[0] is a)
print(work.nothing([1, 2]), work.nothing(range(4)))
q = collections.deque([1, 2, 3]); print(work.pop(q, 2), q)
c = collections.Counter("ab"); work.count(c, "bcc"); print(sorted(c.items()))
rng = random.Random(4); twin = random.Random(4)
print([work.draw(rng) for _ in range(3)] == [round(twin.random(), 6) for _ in range(3)], rng.random() == twin.random())
it = iter([1, 2, 3, 4]); print(work.take(it), next(it), work.take(it), list(it), work.take(it))
into = []; print(work.kw(into=into, values=[1, 2]) is into, into)
o = collections.OrderedDict(a=1, b=2); work.order(o); print(list(o))
dd = collections.defaultdict(list); dd["y"] = [0]; print(work.default(dd), dict(dd))
work.clear(d); print(d)
t = (1, [1]); print(work.rename(t) is t or t[1])
