# A context manager around each call.
# file: main.py
import contextlib

from work import f


@contextlib.contextmanager
def noted(name):
    print("begin", name)
    yield len(name)
    print("end", name)


for name in ["a", "bb", "ccc", "dddd"]:
    with noted(name):
        print(f(len(name)))  # ahead
