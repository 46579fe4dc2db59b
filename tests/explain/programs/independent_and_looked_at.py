# What an independent function changes, the program looks at.
# file: work.py
seen = []
kept = []


def note(x):
    seen.append(x)


def keep(x):
    kept.append(x)
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "async"
independent = true
# file: main.py
import work

for x in range(6):
    work.note(x)  # in place
print(work.seen)
for x in range(6):
    work.keep(x)  # ahead
