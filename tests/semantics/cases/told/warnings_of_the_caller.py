# stacklevel: the caller of the function is the program, at the line of the call.
# file: work.py
import warnings


def helper(x):
    warnings.warn("one up", stacklevel=2)
    warnings.warn("two up", stacklevel=3)
    warnings.warn("three up", stacklevel=4)


def f(x):
    warnings.warn("my caller", stacklevel=2)
    warnings.warn("old", DeprecationWarning, stacklevel=2)
    warnings.warn("its caller", stacklevel=3)
    warnings.warn("beyond", stacklevel=50)
    helper(x)
    return x
# file: other.py
import work


def call(x):
    return work.f(x)
# file: main.py
import other
import work


def go(i):
    return work.f(i)


for i in range(3):
    print(go(i))
    print(work.f(i))
    print(other.call(i))
