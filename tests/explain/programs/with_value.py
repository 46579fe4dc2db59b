# The argument comes from the context manager.
# file: main.py
import contextlib

from work import f


@contextlib.contextmanager
def opened(name):
    yield len(name)


for name in ["a", "bb", "ccc", "dddd"]:
    with opened(name) as size:
        print(f(size))  # in place
