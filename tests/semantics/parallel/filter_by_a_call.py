# Remote calls decide what filter lets through.
# overlap: 3
# file: main.py
from work import nap


def good(x):
    return nap(x) > 50


for x in filter(good, range(9)):
    print(x)
print(list(filter(lambda x: nap(x, 2) % 2, range(9))))
