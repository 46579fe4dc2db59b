# The main script calls in another style than the other modules.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async-demand(2)"
pure = true
[client.main.remote.work]
callstyle = "sync"
# file: report.py
from work import f


def report():
    return [f(x) for x in range(4)]  # ahead
# file: main.py
from report import report
from work import f

for x in range(4):
    print(f(x))  # in place
print(report())  # in place
