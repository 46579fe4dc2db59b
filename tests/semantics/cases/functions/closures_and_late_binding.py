# Closures read their variables when they are called, share them, and change them.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from work import nap


def main(n):
    functions = []
    for i in range(3):
        functions.append(lambda x: nap(x, i))
    print([function(1) for function in functions])
    count = 0

    def step(x):
        nonlocal count
        count += x
        return nap(count, offset)

    for offset in range(4):
        print(step(offset), count)

    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return nap(k) * 0 == 1 if k == 0 else even(k - 1)

    print([even(k) for k in range(n)])

    def later(x):
        return nap(x, base)

    try:
        later(1)
    except NameError as error:
        print(error)
    base = 5
    print([later(x) for x in range(4)])
    base = 6
    print([later(x) for x in range(4)])
    again = step
    if n > 3:
        def step(x):
            return nap(x)
    print(step(1), again(1), again is not step)
    seen = []

    def note(x, into=seen, *rest, key=n):
        into.append(nap(x, key))
        return len(into)

    print([note(x) for x in range(4)], seen, note(9, []))


main(5)
