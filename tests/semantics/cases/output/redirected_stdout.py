# The client redirects its own stdout: what remote functions print goes there too.
# file: work.py
def f(x):
    print("in f", x)
    return x
# file: main.py
import contextlib
import io
import sys

import work

buffer = io.StringIO()
with contextlib.redirect_stdout(buffer):
    for i in range(3):
        print("main", i)
        work.f(i)
print(work.f(9), repr(buffer.getvalue()))


class Upper(io.TextIOBase):
    def write(self, text):
        sys.__stdout__.write(text.upper())
        return len(text)


old, sys.stdout = sys.stdout, Upper()
for i in range(2):
    work.f(i)
    print("loud", i)
sys.stdout = old
print("quiet", work.f(3))
