# Each line warns once, as in plain Python, however many replicas there are.
# file: work.py
import warnings


def f(x):
    warnings.warn("careful")
    warnings.warn(f"odd {x % 2}", RuntimeWarning)
    warnings.warn("old", DeprecationWarning)
    return x


def g(x):
    warnings.warn("careful")
    return x
# file: main.py
import warnings

import work

for i in range(6):
    print(work.f(i), work.g(i))
warnings.simplefilter("always")
for i in range(3):
    print(work.f(i), work.g(i))
