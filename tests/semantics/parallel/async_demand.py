# With one call at a time for each replica, calls still go ahead of the program.
# overlap: 4
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async-demand(1)"
pure = true
repeatable = true
# file: main.py
import work

for i in range(20):
    print(i, work.nap(i))
