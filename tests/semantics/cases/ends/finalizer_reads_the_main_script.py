# What is in a cycle with the main script's names is finalized while these names are still there.
# file: work.py
def plus(n):
    return n + 1
# file: main.py
import os

import work


class Loud:
    def __del__(self):
        os.write(1, b"gone\n")


loud = Loud()
work.plus(1)
print("all done")
