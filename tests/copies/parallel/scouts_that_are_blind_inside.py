# A scout goes from call to call of a chain, and sees nothing of the calls between them.
# overlap: 3
# file: main.py
import os

import work


def inner(x):
    found = []
    for y in range(3):
        found.append(work.nap(x, y + len(os.times())))
    return found


def main():
    x, found = 1, []
    for _ in range(20):
        x = work.nap(x)
        found.append(inner(x))
    print(found)


main()
