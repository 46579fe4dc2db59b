# Files that a call reads are those of the moment at which the program makes it.
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
scratch = true
inline = false
# file: work.py
import glob
import os
import subprocess
import time


def read(x):
    time.sleep(0.003)
    return x, subprocess.run(["cat", "data"], capture_output=True, text=True).stdout


def count(x):
    return len(glob.glob("new_*"))


def is_there(name):
    return os.path.exists(name)


def listed(x):
    shown = subprocess.run("ls -d new_*; true", shell=True, capture_output=True, text=True)
    return shown.stdout.split()


def deep(x):
    with open("folder/inside") as file:
        return file.read()
# file: main.py
import os

import work

os.mkdir("folder")
for x in range(8):
    with open("data", "w") as file:
        file.write(f"data {x // 3}")
    print(work.read(x))
for x in range(6):
    with open("folder/inside", "w") as file:
        file.write(f"inside {x}")
    print(work.deep(x))
for x in range(6):
    open(f"new_{x}", "w").close()
    print(work.count(x), work.listed(x), work.is_there(f"new_{x}"), work.is_there(f"new_{x + 1}"))
os.chdir("folder")
print(work.is_there("inside"), work.is_there("data"))
