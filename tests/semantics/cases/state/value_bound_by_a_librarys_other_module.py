# A library's own function, in another module of it, binds what the program has bound, too.
# file: site-packages/lib9/__init__.py
level = 1
from lib9 import inner
# file: site-packages/lib9/inner.py
import lib9


def up():
    lib9.level = lib9.level + 1
# file: work.py
import time

import lib9
import lib9.inner


def f(x):
    time.sleep(0.002)
    lib9.inner.up()
    return lib9.level, x
# file: main.py
import sys

sys.path.insert(0, "site-packages")
import lib9
import work

lib9.level = 10
print([work.f(i) for i in range(5)], lib9.level)
