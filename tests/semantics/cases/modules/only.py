# Functions left out with "only" stay local, with the state they keep in the client.
# file: work.py
seen = []


def f(x):
    return x + 1


def remember(x):
    seen.append(x)
    return len(seen)
# file: cord.toml
[remote.work]
replicas = 2
pure = true
only = ["f"]
# file: main.py
import work

for i in range(5):
    print(work.f(i), work.remember(i), work.seen)
