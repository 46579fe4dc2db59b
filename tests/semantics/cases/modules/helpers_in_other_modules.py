# Helpers several levels deep in modules and packages of the project make the calls.
# file: work.py
import time


def measure(a, b):
    time.sleep((a + b) % 3 / 1000)
    return (a - b) ** 2
# file: tools/__init__.py
from .rows import row
# file: tools/rows.py
from . import cells


def row(a, others):
    return [cells.cell(a, b) for b in others]
# file: tools/cells.py
import work

calls = 0


def cell(a, b):
    global calls
    calls += 1
    return work.measure(a, b) + offset(a)


def offset(a):
    return 0 if a < 3 else work.measure(a, 0)
# file: main.py
import tools
from tools import cells


def table(points):
    for p in points:
        yield tools.row(p, points)


for line in table([1, 4, 2, 8]):
    print(line, cells.calls)
print(cells.cell(9, 3), cells.calls)
