# A remote module that is imported inside a function, after the world has changed.
# file: work.py
import os

LEVEL = os.environ["LEVEL"]

def f(x):
    return f"{LEVEL}{x}"
# file: main.py
import os

def run(count):
    from work import f

    return [f(x) for x in range(count)]

for level in "ab":
    os.environ["LEVEL"] = level
    print(run(4))
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
