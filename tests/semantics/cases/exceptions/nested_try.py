# try inside try inside loops, re-raised, replaced, and raised from handlers that call again.
# file: work.py
def f(x):
    if x % 3 == 0:
        raise ValueError(x)
    if x % 5 == 0:
        raise KeyError(x)
    return x
# file: main.py
import work


def inner(x):
    try:
        return work.f(x)
    except ValueError:
        return work.f(x + 1)


def outer(x):
    try:
        try:
            return "plain", inner(x)
        except KeyError as error:
            print("key", error)
            raise
        finally:
            print("inner done", x)
    except LookupError:
        try:
            return "second", work.f(x - 1)
        except ValueError as error:
            print(repr(error.__context__))
            raise IndexError(x) from None


for x in range(1, 12):
    try:
        print(outer(x))
    except IndexError as error:
        print("index", error)
for x in (9, 10):
    print(outer(x))
