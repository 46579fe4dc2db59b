# A call that comes back to the module that has made another one runs in what the first has set by then.
# file: cord.toml
[remote.outer]

[remote.inner]
# file: outer.py
import os
import sys

import inner


def again():
    seen = os.environ.get("STEP"), sys.getrecursionlimit()
    os.environ["BACK"] = os.environ.get("STEP", "") + "!"
    return seen


def begin(n):
    os.environ["STEP"] = str(n)
    sys.setrecursionlimit(3000 + n)
    first = inner.back()
    mine = os.environ["STEP"], os.environ.get("BACK"), sys.getrecursionlimit()
    os.environ["STEP"] = f"{n} later"
    return first, mine, inner.back(), os.environ["STEP"], os.environ["BACK"]
# file: inner.py
import os

import outer


def back():
    return outer.again(), os.environ.get("STEP"), os.environ.get("BACK")
# file: main.py
import os
import sys

import inner
import outer

for n in range(3):
    print(outer.begin(n), os.environ["STEP"], os.environ["BACK"], sys.getrecursionlimit())
    print(inner.back())
