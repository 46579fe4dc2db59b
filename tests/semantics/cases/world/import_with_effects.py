# The import of a module that is not pure finds what the program's own import left, and no race.
# file: work.py
import os
import time

if not os.path.exists("table.txt"):
    with open("table.txt", "w") as file:
        for number in range(3):
            print(number, file=file, flush=True)
            time.sleep(0.1)
    os.chdir("/")
    os.chdir(os.path.dirname(__file__))
with open("table.txt") as file:
    TABLE = file.read().split()

def table():
    return TABLE
# file: main.py
import work

print(work.table(), work.TABLE)
# file: cord.toml
[remote.work]
