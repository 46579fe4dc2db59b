# What another process has of its own is not what calls see: the main script by name, streams, sizes.
# told: 8
# file: cord.toml
[remote.work]
pure = true
inline = false
# file: work.py
import __main__
import sys
import weakref


def setting(key):
    return getattr(__main__, key, None)


def found(key):
    return vars(sys.modules["__main__"]).get(key)


def inside():
    import __main__ as main

    return main.LEVEL


def show(x, out=sys.stdout):
    print(x, file=out)


def mark():
    return sys.stdout.encoding.lower(), sys.stdout.errors


def size(x):
    return sys.getsizeof(x)


def watch(thing, n):
    weakref.finalize(thing, print, "gone", n)
    return n


def count(x):
    return sys.getrefcount(x) > 1000
# file: main.py
import contextlib
import io
import sys

import work


class Thing:
    pass


LEVEL = 0
d = {i: i for i in range(50)}
for i in range(48):
    del d[i]
kept, grown = io.StringIO(), []
sys.stdout.reconfigure(encoding="ascii", errors="replace")
for i in range(3):
    LEVEL = i
    print(work.setting("LEVEL"), work.found("LEVEL"), work.inside(), work.mark())
    grown.append(i)
    print(work.size(grown) == sys.getsizeof(grown), work.size(d) == sys.getsizeof(d))
    thing = Thing()
    print(work.watch(thing, i))
    del thing
    with contextlib.redirect_stdout(kept):
        work.show(i)
    print(work.count(None))
print(repr(kept.getvalue()))
