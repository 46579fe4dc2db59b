# One iterator shared by a loop, next() and a comprehension.
# file: work.py
def f(x):
    return -x
# file: main.py
import work

it = iter(range(20))
for x in it:
    print(x, work.f(x), next(it), end="; ")
    if x > 5:
        break
print([work.f(next(it)) for _ in range(3)], next(it))
pairs = list(zip(it, it))
print(pairs, list(it))
it = iter([1, 2, 3, 4, 5])
for a, b in zip(it, it):
    print(work.f(a), work.f(b))
it = iter("abc")
total = [(x, list(it)) for x in it if work.f(ord(x)) < 0]
print(total)
keys = iter({"a": 1, "b": 2})
print(next(keys), [work.f(len(k)) for k in keys], next(keys, "end"))
