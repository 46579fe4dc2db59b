# What a remote function imports when it runs is looked for where the program would find it.
# file: work.py
import sys

def call(name):
    try:
        return __import__(name).answer()
    except ImportError as error:
        return str(error)

def path():
    return sys.path
# file: first/one.py
def answer():
    return "one"
# file: second/two.py
def answer():
    return "two"
# file: main.py
import os
import sys

import work

print(work.call("one"))
sys.path.append(os.path.abspath("first"))
print(work.call("one"), work.call("two"))
sys.path[-1] = os.path.abspath("second")
print(work.call("two"))
print(work.path() == sys.path)
sys.path = [entry for entry in sys.path if not entry.endswith("second")]
print(work.path() == sys.path)
sys.path.reverse()
print(work.path() == sys.path)
sys.path.reverse()
# file: cord.toml
[remote.work]
