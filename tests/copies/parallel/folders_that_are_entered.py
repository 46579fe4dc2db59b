# A library enters a folder for each call, writes and reads a file there, and comes back.
# overlap: 4
# file: lib/rooms.py
import contextlib
import os


@contextlib.contextmanager
def entered(folder):
    before = os.open(".", os.O_RDONLY)
    os.chdir(folder)
    try:
        yield os.path.basename(os.getcwd())
    finally:
        os.fchdir(before)
        os.close(before)


def each(function, items):
    results = []
    for item in items:
        with entered("out") as name:
            with open("last", "w") as file:
                file.write(f"{name} {item}")
            results.append(function(item))
            size = os.path.getsize(f"../{name}/last")
        results.append((size, os.path.exists("last"), os.path.exists("out/last")))
    return results
# file: main.py
import os
import sys

sys.path.append("lib")
import rooms
import work

os.mkdir("out")
print(rooms.each(work.nap, range(40)))
