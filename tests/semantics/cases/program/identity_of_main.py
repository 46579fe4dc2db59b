# __name__, __file__, sys.path, sys.modules and what is in the main module.
# file: work.py
import sys


def f(x):
    return x, __name__, sys.modules["work"].__name__
# file: main.py
"""Docstring of main."""

import os
import sys

import __main__
import work


class Local:
    def method(self):
        return work.f(1)


print(work.f(0), __main__.Local is Local, Local.__module__, Local.method.__qualname__, __doc__)
print(sys.modules["__main__"].__dict__ is globals(), os.path.basename(__file__), sys.argv)
print(os.path.isabs(__file__), sys.path[0] == os.path.dirname(os.path.abspath(__file__)), __builtins__.__name__)
print(sorted(name for name in globals() if not name.startswith("__")), "cord" in sys.argv[0])
print(work.__name__, os.path.basename(work.__file__), work.__spec__.name, __annotations__)
count: int = 3
print(__annotations__, "main" in sys.modules, "work" in sys.modules)
