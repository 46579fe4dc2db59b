# Every way to change the environment reaches the remote functions, and what they start.
# file: work.py
import os
import subprocess

NAMES = ("ONE", "TWO", "THREE", "HIDDEN")

def shown():
    return {name: os.environ.get(name) for name in NAMES}, os.getenv("ONE", "nothing")

def last(count):
    return list(os.environ)[-count:]

def inherited():
    script = "echo " + " ".join("${" + name + "-unset}" for name in NAMES)
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True).stdout
# file: main.py
import os
from unittest import mock

from work import inherited, last, shown

print(shown(), inherited())
os.environ["TWO"] = "2"
os.environ["ONE"] = "1"
print(shown(), inherited(), last(2))
del os.environ["TWO"]
os.environ.update(THREE="3", TWO="two")
print(shown(), inherited(), last(3))
os.putenv("HIDDEN", "seen by C code only")
print(shown(), inherited())
with mock.patch.dict(os.environ, {"ONE": "patched"}, clear=True):
    print(shown(), inherited(), last(9))
print(shown(), inherited())
os.environb[b"ONE"] = b"\xff"
print(shown(), len(os.environ["ONE"]))
os.unsetenv("HIDDEN")
print(os.environ.pop("ONE") == "\udcff", shown(), inherited())
# file: cord.toml
[remote.work]
