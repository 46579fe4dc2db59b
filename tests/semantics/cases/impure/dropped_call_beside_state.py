# A pure call that was made in vain runs in the one replica that keeps state: it is let run.
# file: cord.toml
[remote.work]
callstyle = "async"
restart = "fresh"
functions.slow.pure = true
# file: work.py
import time

calls = 0


def count():
    global calls
    calls += 1
    return calls


def slow(x):
    time.sleep(0.3 * (x > 0))
    return x + 1
# file: main.py
import work


def search():
    for x in range(10):
        if work.slow(x) > 0:
            return x


print(work.count())
print(search())
print(work.count())
