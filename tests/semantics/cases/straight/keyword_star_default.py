# Keyword, star and default arguments, positional-only and keyword-only parameters.
# file: work.py
def f(a, /, b=2, *rest, c, d=(4,), **more):
    return a, b, rest, c, d, more
# file: main.py
import work

args, kw = [1, 2, 3, 4], {"c": 5, "z": 6}
print(work.f(1, c=3), work.f(*args, **kw), work.f(*args[:1], **kw, y=0))
print(work.f(*"ab", *range(2), c=None), work.f(0, c=1, a="in more"))
for n in range(3):
    print(work.f(*range(n + 1), c=n, **{f"k{n}": n}))
for bad in (lambda: work.f(), lambda: work.f(1), lambda: work.f(1, c=2, **{"c": 3})):
    try:
        bad()
    except TypeError as error:
        print(error)
