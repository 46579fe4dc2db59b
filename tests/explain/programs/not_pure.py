# The plan does not say pure.
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "async"
# file: main.py
from work import f

for x in range(4):
    print(f(x))  # in place
