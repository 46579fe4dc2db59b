# Pure functions raise in a replica for what the program's process alone has: the program makes these calls.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
# file: work.py
def decoded(data):
    return data.decode("ascii", "dots")


def spoken(text):
    return text.encode("backwards")


def made(n):
    import invented

    return invented.double(n)


def top(counts):
    return counts.best()


def size(descriptor):
    import os

    return os.stat(descriptor).st_size


def missing(value):
    return value.nothing


def inner(n):
    return name_that_is_nowhere + n
# file: tricks.py
import codecs
import collections
import importlib
import sys
import types


def prepare():
    codecs.register_error("dots", lambda exc: ("." * (exc.end - exc.start), exc.end))
    codecs.register(lambda name: _backwards if name == "backwards" else None)
    invented = types.ModuleType("invented")
    exec("def double(n):\n    return 2 * n", vars(invented))
    sys.modules["invented"] = invented
    cls = getattr(importlib.import_module("collections"), "Counter")
    setattr(cls, "best", lambda self: max(self, key=self.get))


_backwards = codecs.CodecInfo(
    lambda text, errors="strict": (text[::-1].encode(), len(text)), lambda data, errors="strict": ("", 0)
)
# file: main.py
import collections

import tricks
import work

tricks.prepare()
for n in range(4):
    print(work.decoded(b"a\xff" * n), work.spoken("abc" * n), work.made(n))
    print(work.top(collections.Counter("ab" + "b" * n)))

with open("work.py", "rb") as file:
    print(work.size(file.fileno()))

for n in range(3):
    try:
        work.missing(n)
    except AttributeError as exc:
        print(exc, exc.name, exc.obj)

print(work.inner(1))
