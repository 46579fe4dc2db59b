# A map or filter is read step by step, in part, twice, not at all; effects keep their places.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from itertools import islice

from work import nap, picky


def loud(x):
    print("loud", x)
    return nap(x)


def main(xs):
    m = map(loud, xs)
    print(type(m), next(m))
    xs.append(9)
    for value in m:
        print("body", value)
        if value == 14:
            break
    print(list(m), list(m), next(m, "over"))
    f = filter(lambda x: print("test", x) or nap(x) % 2, range(5))
    print(next(f), [*f])
    print(list(islice(map(nap, iter(range(100))), 3)), any(map(lambda x: nap(x) > 7, range(50))))
    never = map(loud, xs)
    return map(picky, [1, 2, 3, 4])


left = main([0, 1, 2, 3])
try:
    for value in left:
        print(value)
except ValueError as error:
    print(error, list(left))
for value in map(loud, [1, 2, 3]):
    pass
else:
    print("else")
a, b = map(nap, (1, 2))
print(a, b, 21 in map(nap, range(9)), dict(zip("ab", map(nap, range(9)))))
