# A library writes what it sends to a temporary file first, and reads it back.
# overlap: 4
# file: lib/scratch.py
import os
import tempfile


def each(function, items):
    for item in items:
        with tempfile.NamedTemporaryFile("w", dir=".", suffix=".txt", delete=False) as file:
            file.write("x" * item)
        with tempfile.TemporaryDirectory(dir=".") as folder:
            os.rename(file.name, os.path.join(folder, "text"))
            size = os.stat(os.path.join(folder, "text")).st_size
        yield function(item, size + os.path.exists(folder))
# file: main.py
import os
import sys

sys.path.append("lib")
import scratch
import work

print(list(scratch.each(work.nap, range(40))), sorted(os.listdir(".")) == sorted(os.listdir()))
