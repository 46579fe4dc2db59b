# One function of the module is pure, another is not.
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "async"

[remote.work.functions.f]
pure = true
# file: main.py
from work import f, g

for x in range(4):
    print(f(x))  # ahead
    print(g(x))  # in place
