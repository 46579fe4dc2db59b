# Warnings of the client name its own file, line and source, and appear once.
# file: work.py
def f(x):
    return x
# file: main.py
import warnings

import work


def old(x):
    warnings.warn("old is old", DeprecationWarning, stacklevel=2)
    return work.f(x)


def user(x):
    warnings.warn(f"user {x}")
    return work.f(x)


for i in range(3):
    print(old(i), user(i % 2))
warnings.simplefilter("error")
try:
    print(work.f(1), user(7))
except UserWarning as warning:
    print("raised", warning)
