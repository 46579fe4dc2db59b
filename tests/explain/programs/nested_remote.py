# A remote function calls another remote module.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true

[remote.outer]
replicas = 2
callstyle = "async"
pure = true
# file: outer.py
import work


def both(x):
    return work.f(x) + work.g(x)
# file: main.py
from outer import both

for x in range(5):
    print(both(x))  # ahead
