# Filters "once" and "module" count over functions; "ignore" and messages decide.
# file: work.py
import warnings


def f(x):
    warnings.warn("same text")
    return x


def g(x):
    warnings.warn("same text")
    warnings.warn("noise: hush", UserWarning)
    warnings.warn("future", FutureWarning)
    return x
# file: main.py
import sys
import warnings

import work

for action in ("once", "module", "default", "always", "ignore"):
    print(action, file=sys.stderr)
    with warnings.catch_warnings():
        warnings.simplefilter(action)
        warnings.filterwarnings("ignore", message="noise")
        for i in range(3):
            work.f(i)
            work.g(i)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("default")
    for i in range(4):
        work.g(i)
print([(str(one.message), one.category.__name__, one.lineno) for one in seen])
with warnings.catch_warnings(record=True) as seen:
    warnings.filterwarnings("once", category=UserWarning)
    warnings.filterwarnings("always", category=FutureWarning)
    for i in range(4):
        work.f(i)
        work.g(i)
print([(str(one.message), one.category.__name__, one.lineno) for one in seen])
