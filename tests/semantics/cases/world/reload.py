# A reloaded module is executed once more, in its own old namespace.
# file: work.py
import os

try:
    loads.append(os.environ.get("ROUND"))
except NameError:
    loads = [os.environ.get("ROUND")]
if os.environ.get("ROUND") == "bad":
    raise ValueError("bad round")

def show(x):
    return x, loads
# file: main.py
import importlib
import os
import sys

import work

print(work.show(0))
os.environ["ROUND"] = "second"
importlib.reload(work)
print(work.show(1), work.loads)
os.environ["ROUND"] = "bad"
try:
    importlib.reload(work)
except ValueError as error:
    print(error)
print(work.show(2), work.loads)
os.environ["ROUND"] = "new"
del sys.modules["work"]
import work

print(work.show(3), work.loads)
# file: cord.toml
[remote.work]
