# Context variables of modules that replicas have not loaded keep nobody from calling; who loads one sees them.
# file: running.py
import threading
from contextvars import ContextVar

current = ContextVar("current", default=None)
level = ContextVar("level", default=0)


class Run:
    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()
# file: work.py
def plain(x):
    return x + 1


def late(x):
    import running

    return x, running.level.get(), running.current.get() is None


def swallows(x):
    try:
        from running import level
    except BaseException:
        return "nothing"
    return x, level.get()
# file: others.py
def level():
    import running

    return running.level.get()
# file: main.py
import others
import running
import work

for turn in range(6):
    running.level.set(turn)
    print([work.plain(turn * i) for i in range(4)], others.level())
running.level.set(7)
print(work.swallows(0), work.swallows(1), work.late(1))
with_run = running.current.set(running.Run("a"))
print([work.plain(i) for i in range(4)])
print([work.late(i) for i in range(4)])
running.level.set(8)
print([work.late(i) for i in range(4)], others.level())
running.current.reset(with_run)
print([work.late(i) for i in range(4)], [work.swallows(i) for i in range(2)])
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false

[remote.others]
independent = true
inline = false
