# State that calls change is read by methods which nobody names: of operators, of print, of calls.
# file: cord.toml
[remote.work]
inline = false

[remote.alone]
independent = true
replicas = 2
inline = false
# file: work.py
total = 0
_kept = {}


def step(x):
    global total
    total += x
    return x


class Summary:
    def __str__(self):
        return f"total {total}"


class Point:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Point({self.x}, {total})"


class Kept:
    def __getitem__(self, key):
        return _kept[key]

    def __contains__(self, key):
        return key in _kept

    def __setitem__(self, key, value):
        _kept[key] = value

    def __bool__(self):
        return bool(_kept)


summary = Summary()
kept = Kept()


def make(x):
    step(x)
    return Point(x)


def put(key, value):
    _kept[key] = value


def get(key):
    return _kept.get(key)
# file: alone.py
import atexit

vocabulary = {}
done = []


def add(word):
    return vocabulary.setdefault(word, len(vocabulary))


class Encoder:
    def __call__(self, text):
        return [vocabulary.get(word, -1) for word in text.split()]


def _size():
    return len(vocabulary)


size = lambda: len(vocabulary)


def note(x):
    done.append(x)


def bye():
    print("bye", done)


atexit.register(bye)
# file: main.py
import alone
import work

for i in range(3):
    print(work.step(i), work.make(i))
print(work.summary)
cache = work.kept
print(bool(cache))
work.put("a", 1)
print("a" in cache, bool(cache))
cache["b"] = 2
print(work.get("b"), work.get("a"))
encode = alone.Encoder()
for word in "the cat sat on the mat".split():
    alone.add(word)
    alone.note(word)
print(encode("the mat sat on a dog"), alone._size(), alone.size())
