# What the program's own objects do when they go is done at sys.exit() as at the end of the program.
# stderr: whole
# file: work.py
def double(x):
    return 2 * x
# file: main.py
import os
import sys
import tempfile

import work


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        os.write(1, b"gone %d\n" % self.name)


def leave():
    held = Loud(work.double(2))
    sys.exit(held.name)


loud = Loud(work.double(1))
spooled = tempfile.SpooledTemporaryFile(max_size=5)
spooled.write(b"123456789")
print(work.double(3), flush=True)
leave()
