# Two modules of a program call one server in different styles.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[client.report.remote.work]
callstyle = "async-demand(1)"
priority = "-x"
batch = 2
lookahead.calls = 20
[client.main.remote.work]
loadratio = "1:3"
# file: work.py
def f(x):
    return x * 3
# file: report.py
import work


def report(n):
    return [work.f(i) for i in range(n)]
# file: main.py
import report
import work

for i in range(50):
    print(work.f(i), sum(report.report(i)))
print(list(map(work.f, range(10))))
