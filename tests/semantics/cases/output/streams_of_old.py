# What a function writes to the stream that it has as a default goes where the plain program writes it.
# file: cord.toml
[remote.work]
inline = false
# file: work.py
import sys


def show(x, file=sys.stdout):
    file.write(f"{x}\n")
# file: main.py
import contextlib
import io
import sys

import work

kept = io.StringIO()
sys.stdout = kept
work.show(1)
print("kept")
sys.stdout = sys.__stdout__
with contextlib.redirect_stdout(kept):
    work.show(2)
    print("kept, too")
work.show(3)
print(repr(kept.getvalue()))
