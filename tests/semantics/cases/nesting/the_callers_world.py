# A nested call sees environment, working directory and sys.path as the program had them.
# file: cord.toml
[remote.outer]
replicas = 1

[remote.inner]
replicas = 1
# file: inner.py
import os
import sys

import outer


def look():
    entries = [entry for entry in sys.path if entry.startswith("/added")]
    return os.environ.get("STEP"), os.path.basename(os.getcwd()), os.getenv("STEP"), entries


def and_back():
    return look(), outer.look()
# file: outer.py
import os

import inner


def look():
    return os.environ.get("STEP"), os.path.basename(os.getcwd())


def ask():
    return inner.look(), inner.and_back(), look()
# file: main.py
import os
import sys

import inner
import outer

print(outer.ask()[0][0])
for step in ("one", "two"):
    os.environ["STEP"] = step
    os.makedirs(step)
    os.chdir(step)
    sys.path.append(f"/added/{step}")
    print(outer.ask(), inner.and_back())
del os.environ["STEP"]
print(outer.ask())
