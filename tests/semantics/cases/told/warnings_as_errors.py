# A filter "error" of the program raises inside the function, which may catch it.
# file: work.py
import warnings


def f(x):
    try:
        warnings.warn(f"odd {x}", RuntimeWarning)
    except RuntimeWarning as error:
        return f"caught {error}"
    warnings.warn("old", DeprecationWarning)
    return x


def g(x):
    warnings.warn("of g", UserWarning, stacklevel=2)
    return x
# file: main.py
import sys
import warnings

import work

print(work.f(0))
with warnings.catch_warnings():
    warnings.simplefilter("error", RuntimeWarning)
    for i in range(3):
        print(work.f(i))
with warnings.catch_warnings():
    warnings.filterwarnings("error", category=DeprecationWarning)
    try:
        work.f(1)
    except DeprecationWarning as error:
        print("raised", error)
with warnings.catch_warnings():
    warnings.filterwarnings("error", module="__main__")
    try:
        work.g(1)
    except UserWarning as error:
        print("raised", error)
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", module="work")
    print(work.f(2), work.g(2))
print(work.f(3), work.g(3))
