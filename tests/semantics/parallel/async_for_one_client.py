# One module of the program calls ahead, though the plan says sync for the others.
# overlap: 4
# file: cord.toml
[remote.work]
replicas = 4
pure = true
repeatable = true
[client.report.remote.work]
callstyle = "async"
# file: report.py
import work


def rows(count):
    return [work.nap(i) for i in range(count)]
# file: main.py
import report
import work

print(work.nap(20), report.rows(20))
