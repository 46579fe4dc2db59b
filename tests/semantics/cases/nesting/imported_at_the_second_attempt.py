# A remote module cannot be imported by the program at first; a remote function then can.
# file: cord.toml
[remote.outer]
replicas = 1

[remote.inner]
replicas = 1
# file: inner.py
import os

if "READY" not in os.environ:
    raise ImportError("not yet")


def record(text):
    return os.environ["READY"], text
# file: outer.py
def note(text):
    import inner

    return inner.record(text)
# file: main.py
import os

import outer

try:
    import inner
except ImportError as error:
    print(error)
try:
    outer.note("a")
except ImportError as error:
    print(error)
os.environ["READY"] = "yes"
print(outer.note("b"))
import inner

print(inner.record("c"))
