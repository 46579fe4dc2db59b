"""Templates that random programs are made of, one a line; a likelier one stands there twice."""

from __future__ import annotations

# Calls of pure remote functions.
PURE_CALL = """\
work.f($x)
work.f(x=$x)
f($x)
f($x)
work.g($x, $y)
work.g($x, y=$y)
work.g(y=$x, x=$y)
work.h($x, *$list[:2], k=$y)
work.h(*($x, $y), **{'k': 3, 'z': $atom})
work.total($list)
work.total([$x, *$list])
work.total(m[$atom % 2])
work.total(sorted(s))
work.say($x)
work.warn($x)
mixed.twice($x)
work.pair($x)[$y % 2]
work.table($x).get($y, 0)
(work.maybe($x) or $atom)
int(work.half($x) * 4)
len(work.show($list, $x))
work.weigh(box, $x)
work.move(pt, $x).x
work.make($x).size()
""".splitlines()

# Calls that raise at times: remotely, or while their arguments are computed.
FAILING_CALL = """\
work.boom($x)
work.boom($x)
work.caused($x)
work.many($x)
work.boom(($x)[0])
work.f(xs[$x])
work.g($x, 7 // $x)
work.stops($x)
""".splitlines()

# Calls that leave a line in calls.log.
IMPURE_CALL = """\
state.put($x)
state.put($x)
state.last()
mixed.count()
state.tell($x, y=$atom)
(state.take() if state.put($x) else 0)
""".splitlines()

# Calls whose values are passed on.
CHAIN = """\
work.g(work.f($x))
work.f(work.g(work.f($x), work.f($atom)))
work.total(work.mk($x))
work.total(work.merge(work.mk($x), xs[:3]))
work.move(work.make($x), work.f($atom)).y
work.f(state.put($x))
state.put(work.f($x))
""".splitlines()

# Numbers that are part of something, or made of others.
PART = """\
box.value
box.doubled
box[$x]
(box + $x)
d.get($atom, $x)
d.setdefault($atom, $x)
m[$atom % 2][-1]
(xs or [$x])[0]
(ys or [$x])[-1]
len(s)
len(q)
pt.x
pt.size()
dataclasses.replace(pt, y=$x).size()
len({work.Cell(u): $each for u in $it})
max([pt, work.make($x)], key=work.Point.size).x
dict([(work.Cell($atom), $x), (work.Cell(1), $y)]).get(work.Cell($atom), 0)
(lambda a, *xs, b=$x: work.g(a, b))($y, *xs[:2])
t
rng.randrange(1, 9)
rng.choice([1, $x, 3])
int(rng.gauss($x, 2))
random.randrange(1, 9)
random.sample([1, 2, $x], 2)[0]
heapq.heappushpop($list, $x)
abs($x)
divmod($x, 4)[1]
ord(str($x)[0])
sorted([$x, $x])[0]
""".splitlines()

# Numbers that a walk over an iterable gives.
REDUCTION = """\
sum($each for u in $it)
sum([$each for u in $it if $test])
len([$each for u in $it if $test])
len({$each for u in $it})
len({u: $each for u in $it})
max(($each for u in $it), default=0)
max([$each for u in $it])
min($it, key=work.f, default=3)
max($it, key=lambda u: ($each, u), default=0)
sorted($it, key=lambda u: -work.f(u))[:1] == [$atom]
sum(sorted($it, key=work.f)[:2])
functools.reduce(work.g, $it, $atom)
functools.reduce(lambda p, u: p + $each, $it, 0) % 23
any($test for u in $it)
all($test for u in $it)
next((u for u in $it if $test), $atom)
next(($each for u in $it))
($atom in ($each for u in $it))
($atom in map(work.f, $it))
sum(map(work.f, $it))
sum(map(work.g, $it, $it))
sum(filter(work.maybe, $it))
sum(p * $atom for p, u in enumerate(map(work.f, $it)))
sum($each for u in $it for p in range(u % 3))
int(','.join(str($each) for u in $it)[:2] or 0)
[$each for u in $it].count($atom)
""".splitlines()

# Up to four numbers.
ITERABLE = """\
range($n)
range($n)
range($n, 9, 3)
range($atom % 4)
$list[:4]
list($list)[-3:]
reversed($list[:3])
tuple($list[:3])
[1, $x, 3]
($x, $atom)
sorted(s)[:4]
list(q)[:3]
m[0][:3]
list(d.values())[:3]
work.mk($atom)
work.near($atom)
(work.f(u) for u in range($n))
[work.f(u) for u in $list[:3]]
map(work.f, range($n))
map(lambda u: work.g(u, a), $list[:3])
filter(work.f, $list[:4])
itertools.islice(itertools.count($atom), $n)
itertools.takewhile(lambda u: work.f(u) > 3, range($n))
itertools.accumulate($list[:3], work.g)
itertools.chain([1], map(work.f, $list[:2]))
itertools.starmap(work.g, [(1, a), (b, 2)])
(u + p for u, p in zip(*[iter([*$list[:3], $x])] * 2))
[u for u in map(work.maybe, range($n)) if u is not None]
box
""".splitlines()

CONDITION = """\
$x > $atom
$x % 2
$atom % 3 == 1
$atom < $atom
$x in $list
$x in s
not $x
$name < $x < 9
$x and $y
$x or $y
work.maybe($x) is None
$list
rng.random() < 0.5
isinstance($x, int)
""".splitlines()

# Values of any type, for `show` and `print`.
ANYTHING = """\
$x
$x
xs
ys
m
d
sorted(s)
list(q)
pt
work.mk($x)
work.make($x)
work.move(pt, $x)
work.shape([xs, ys, m[0]])
work.half($x)
work.maybe($x)
work.show($odd, $odd)
work.show($x, o)
work.show(xs, d)
work.Cell($x)
work.show(work.Cell($atom), pt)
'%s-%r' % ($x, work.pair($atom))
[*work.mk($x), $atom]
""".splitlines()

# Statements of one line.
SIMPLE = """\
$name = $x
$name = $x
$name += $x
$name, $name = $x, $y
$name, *ys = [$x, $y, *$list[:2]]
$name = v = $x
for $name in $it: $list.append(work.g($name, $y))
while len(xs) < $n: xs.append($x)
sys.stdout.write(str($x) + chr(10))
m = [[work.g(p, u) for p in range($n)] for u in range(2)]
m[$atom % 2][:], ys = [$x, $y], [*m[0]]
$name = work.g(*work.pair($x))
$name = work.g(**{'x': $x} | {'y': $y})
type(box).scale = $x
box.items = [box.step(u) for u in $it]
$list.append($x)
$list.append($x)
$list.extend(work.mk($x))
$list += [$x]
$list[-1:] = [$x]
$list.insert(0, $x)
heapq.heappush($list, $x)
heapq.heapify($list)
bisect.insort($list, $x)
rng.shuffle($list)
random.shuffle($list)
random.seed($x)
$list.sort(key=work.f)
$list = sorted($list[:6], key=lambda u: work.g(u, $y))
$list = [$each for u in $it]
$list = [u for u in $list[:5] if $test]
$list = list(map(work.f, $it))
$list = work.merge($list[:4], [$x])
m[$atom % 2].append($x)
m[$atom % 2] = [$x]
d[$y] = $x
d[$atom] = d.get($atom, 0) + $x
d.update(work.table($x))
d = {u: $each for u in $it}
d.pop($atom, $x)
s.add($x)
s |= {$x, $y}
s = {$each for u in $it}
q.append($x)
q.rotate($atom)
box.value = $x
box.value += $x
box = work.grown(box, $x)
box.items.append($x)
box[$atom] = $x
pt = work.move(pt, $x)
pt.x = $x
pt.y += $x
o.append($odd)
$list[:1] = [$x]
m[0][:1] = [$x]
o = [$odd, $odd]
$x
bump($x)
""".splitlines()

# Statements that may fail where they stand.
RISKY = """\
$list[0] = $x
$list[$atom] = $x
m[0][0] = $x
del d[$x]
$name = heapq.heappop($list)
del $list[$atom]
assert $cond, $x
print('pop', xs.pop(), work.show(ys))
$name = xs.index($x)
$name = int('7' * ($x % 3))
$name = next(u for u in $it if $test)
$name, $name = [u for u in $it][:2]
""".splitlines()

# Statements that print.
SHOWN = """\
print($any, $any)
print($any, $x)
print(work.show($list, d), $any)
print(work.show(m, $list, list(q)))
print(work.show(*o), work.show($odd))
print(work.shape([xs, ys, xs[:], m[0], m[1]]), $x)
print(f"{$x} {$any!r:>5}", box.value)
print(f"{$y=}")
print(work.show(xs and xs.pop(), ys))
print(*$it, sep=',')
print([$each for u in $it])
print({u: $each for u in $it})
print(box, box.items, $x)
print($x, file=sys.stderr)
with open('out.txt', 'a') as out: print($x, file=out)
""".splitlines()

# Statements that copy, swap and share.
SHUFFLED = """\
ys = xs
ys = list(xs)
xs, ys = ys, xs
xs = ys[1:]
ys = xs + [0]
m[0] = xs
xs = m[1]
m = [row[:] for row in m]
xs = ys = [a]
box.items = ys
q.extend(xs[:2])
d = dict(d)
pt = work.Point(a, b)
a, b, c = b, c, a
xs.clear()
m[0], m[1] = m[1], m[0]
""".splitlines()

# Whether the result `t` of a call with `w` is the one that is looked for.
FOUND = """\
t > 7
t % 4 == 0
not t
t == $atom
t in s
t in xs
t < a
w > $atom and t % 2
t >= 8 or w > 6
t > 5 and work.f(t) < 6
work.g(t, w) > 9
work.less(7, t)
any(work.f(u) == t for u in range(2))
""".splitlines()

# Statements of loops that turn more often.
REPEATED = """\
print('at', v, w, t)
print('at', w, work.f(w))
print(work.say(w))
xs[3:] = [t]
ys[1:] = [work.f(w), t]
d[w % 5] = t
a = (a + t) % 31
b = work.g(w, b)
c += w
box.value = t
box.value = work.g(w, box.value)
work.f(v)
bump(w)
state.put(w)
$name = $x
$name = $x
""".splitlines()

# Statements of a method, whose object has the number `best` and the list `kept`.
METHOD = """\
self.best = $x
self.best = work.f(k)
self.best = work.g(k, self.best)
self.best += work.f(self.best)
self.best, self.x = self.x, k
self.x += 1
self.kept.append($x)
self.kept.append(work.f(k))
self.kept[-1:] = [work.f(k)]
self.kept[:] = self.kept[-3:]
self.kept = [work.g(u, k) for u in self.kept[:3]]
self.kept.sort(key=work.f)
self.other = self.kept; self.other.append(k)
kept = self.kept; kept.append(work.f(len(kept)))
for u in self.kept[:3]: self.best = work.g(u, self.best)
if self.best > $atom: return work.f(self.best)
if work.f(k) > self.best: self.best = work.f(k)
print('add', self.x, self.best, self.kept)
setattr(self, 'best', work.f(k))
self.best = getattr(self, 'x') + k
state.put(self.x)
del self.kept[3:]
xs.append(self.best)
assert work.f(k) != 5, self.best
""".splitlines()
