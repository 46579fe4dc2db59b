# Loops inside with and try inside loops, left by break, continue and return in every block.
# file: work.py
def f(x):
    if x == 7:
        raise ValueError("seven")
    return x
# file: main.py
import contextlib

import work


@contextlib.contextmanager
def noted(name):
    print("+", name)
    try:
        yield name
    finally:
        print("-", name)


def run(xs):
    for x in xs:
        with noted(x) as name:
            try:
                if work.f(name) == 1:
                    continue
                if work.f(x) == 2:
                    break
                for y in range(3):
                    with noted((x, y)):
                        if work.f(y) == x - 4:
                            return "from inside", x, y
            except ValueError as error:
                print("except", error)
                continue
            else:
                print("else", x)
            finally:
                print("finally", x)
    else:
        return "ran out"
    return "broke"


for xs in ([0, 1], [1, 2, 3], [7, 3], [5, 9], [7, 4], []):
    print(xs, run(xs))
