# Constants of a class are compared by `is`, and so are containers and a default that is set later.
# file: work.py
class _Level:
    def __init__(self, name):
        self.name = name


class Level:
    LOW, HIGH = _Level("low"), _Level("high")


EMPTY = {}
UNSET = object()
_default = None


def name(level):
    return "low" if level is Level.LOW else "high" if level is Level.HIGH else "?"


def told(value, default=UNSET):
    if default is UNSET:
        return "nothing"
    return "empty" if value is EMPTY else "default" if value is _default else value


def set_default(value):
    global _default
    _default = value
# file: main.py
import work

for i in range(4):
    print(work.name(work.Level.LOW), work.name([work.Level.HIGH, work._Level("high")][i % 2]))
print(work.told(work.EMPTY, 1), work.told({}, 1), work.told({}), work.told({}, work.UNSET))
session = {"id": 1}
work._default = session
for i in range(4):
    print(work.told(session, i), work.told({"id": 1}, i))
    session["id"] += 1
