# A remote function imports another remote module, which the program imports only later: its state
# is one from the first import on, and its import sees the world of that moment.
# file: cord.toml
[remote.outer]
replicas = 1

[remote.inner]
replicas = 1
# file: inner.py
import os

born = os.environ.get("MODE")
entries = []


def record(text):
    entries.append(text)
    return born, list(entries)
# file: outer.py
def note(text):
    import inner

    return inner.record(text)
# file: main.py
import os

import outer

os.environ["MODE"] = "first"
print(outer.note("a"))
os.environ["MODE"] = "second"
print(outer.note("b"))
import inner

print(inner.record("c"))
print(outer.note("d"))
