# What the program changes in a module with state is added to what calls have left.
# file: cord.toml
[remote.work]
# file: work.py
START = 0
COUNT = 0
OPT = {'x': 1}
LOG = []
def add(n):
    global COUNT
    COUNT += n
    LOG.append(n)
    return START + COUNT
def get(): return OPT, LOG
# file: main.py
import work
print(work.add(1)); work.START = 100; print(work.add(2)); print(work.add(3))
work.OPT['x'] = 7
print(work.add(4), work.get())
