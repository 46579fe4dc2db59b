# The helper is in another module, two levels deep.
# overlap: 3
# file: tools/__init__.py
# file: tools/outer.py
from .inner import cell


def row(i):
    return cell(i) + 1
# file: tools/inner.py
import work


def cell(i):
    return work.nap(i)
# file: main.py
from tools.outer import row

for i in range(18):
    print(i, row(i))
