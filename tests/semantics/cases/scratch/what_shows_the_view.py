# Calls that tell where they are, or write outside the working folder, are the program's.
# told: 3
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
scratch = true
inline = false
# file: work.py
import os
import subprocess


def where(x):
    return x, os.getcwd()


def child(x):
    return os.path.basename(subprocess.run(["pwd"], capture_output=True, text=True).stdout.strip())


def below(x):
    with open("folder/inside", "a") as file:
        file.write(f"{x}\n")
# file: main.py
import os

import work

os.mkdir("folder")
here = os.getcwd()
for x in range(4):
    print(work.where(x) == (x, here))
    print(work.child(x) == os.path.basename(here))
    work.below(x)
print(open("folder/inside").read())
