# The program stands in a folder that is deleted, and goes on making calls.
# file: work.py
import os

def here():
    try:
        return os.path.basename(os.getcwd())
    except FileNotFoundError as error:
        return type(error).__name__

def square(x):
    return x * x
# file: main.py
import os

import work

os.mkdir("gone")
os.chdir("gone")
print(work.here())
os.rmdir("../gone")
os.environ["CHANGED"] = "too"
print([work.square(x) for x in range(5)])
print(work.here())
os.chdir("/")
print(repr(work.here()))
# file: cord.toml
[remote.work]
callstyle = "async"

[remote.work.functions.square]
pure = true
