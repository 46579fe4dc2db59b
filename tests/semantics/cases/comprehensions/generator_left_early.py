# A generator expression that is never finished, or closed, makes no more calls.
# file: calls.py
from pathlib import Path


def noted(x):
    with Path("calls.txt").open("a") as log:
        log.write(f"{x}\n")
    return x * 2
# file: cord.toml
[remote.calls]
replicas = 1
callstyle = "async"
# file: main.py
import calls

g = (calls.noted(x) for x in range(10))
print(next(g), next(g))
g.close()
print(any(calls.noted(x) > 25 for x in range(10, 20)))
print(all(calls.noted(x) < 64 for x in range(30, 40)))
print(next((x for x in range(40, 50) if calls.noted(x) > 85), None))
print(3 in (calls.noted(x) for x in range(50, 53)), 102 in (calls.noted(x) for x in range(51, 60)))
