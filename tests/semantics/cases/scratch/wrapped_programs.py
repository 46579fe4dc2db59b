# Functions that run programs, which read and write files of fixed names in the working folder.
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
scratch = true
inline = false
# file: tool.py
import sys

# as a program in C would: it reads one file and writes another one
with open("input.dat") as given, open("output.dat", "w") as result:
    result.write(f"{sum(map(int, given))}\n")
print("tool", file=sys.stderr)
# file: work.py
import os
import subprocess
import sys
import time


def clean(x):
    with open("input.dat", "w") as given:
        given.write(f"{x}\n{x + 2}\n{x + 1}\n")
    time.sleep(0.005)
    subprocess.run(["sh", "-c", "sort -rn input.dat > output.dat"], check=True)
    with open("output.dat") as result:
        found = result.read().split()
    os.remove("input.dat")
    os.remove("output.dat")
    return found


def leave(x):
    with open("input.dat", "w") as given:
        given.write(f"{x}\n{x + 2}\n")
    subprocess.run([sys.executable, "tool.py"], check=True)
    with open("output.dat") as result:
        return result.read()


def append(x):
    subprocess.run(["sh", "-c", f"echo {x} >> log.txt; wc -l < log.txt > count.txt"], check=True)
    with open("count.txt") as result:
        return int(result.read())


def named(x):
    subprocess.run(["sh", "-c", f"mkdir out_{x}; echo {x} > out_{x}/value; ln -s out_{x} last_{x}"])
    return x
# file: main.py
import os

import work


def show():
    for name in sorted(os.listdir(".")):
        if name not in ("__pycache__", "cord.toml", "main.py", "tool.py", "work.py"):
            print(" ", name, open(name).read() if os.path.isfile(name) else sorted(os.listdir(name)))


for x in range(12):
    print(work.clean(x))
show()
for x in range(5):
    print(work.leave(x), open("output.dat").read())
show()
for x in range(5):
    print(work.append(x))
show()
print([work.named(x) for x in range(6)])
show()
