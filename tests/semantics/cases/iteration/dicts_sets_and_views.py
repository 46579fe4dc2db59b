# Iteration over dicts, views, sets, enumerate, zip, reversed, sorted, range with steps.
# file: work.py
def f(*a):
    return a
# file: main.py
import work

d = {"b": 1, "a": 2, (1, 2): 3}
for k in d:
    print(work.f(k, d[k]))
for i, (k, v) in enumerate(d.items(), 5):
    d[k] = work.f(i, v)
print(d, [work.f(v) for v in d.values()], [work.f(k) for k in reversed(d.keys())])
for s in {"x", "yy", "zzz"}, frozenset("q"), set():
    print([work.f(e) for e in s])
for a, b, c in zip("abc", range(10, 0, -4), reversed([1, 2, 3])):
    print(work.f(a, b, c))
for ch in "héß":
    print(work.f(ch), end="")
print([work.f(b) for b in b"\x00\xff"], [work.f(x) for x in sorted([3, 1, 2], reverse=True)])
for i in range(9, -1, -3):
    print(work.f(i), end=" ")
print()
