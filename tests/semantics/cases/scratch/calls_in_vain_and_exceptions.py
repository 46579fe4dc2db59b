# What a call in vain has written is nowhere; what one has written that raises is there.
# file: cord.toml
[remote.work]
replicas = 3
callstyle = "async"
scratch = true
inline = false
# file: work.py
import subprocess
import time


def f(x):
    time.sleep(0.003)
    subprocess.run(["sh", "-c", f"echo {x} > file_{x}"], check=True)
    if x % 4 == 3:
        raise ValueError(x)
    return x


def gone(name):
    subprocess.run(["rm", name], check=True)
    return name
# file: main.py
import os

import work


def files():
    return sorted(name for name in os.listdir(".") if name.startswith("file_"))


for x in range(30):
    try:
        if work.f(x) == 9:
            break
    except ValueError as error:
        print("not", error, files())
print(files())
for name in files()[::2]:
    print(work.gone(name), files())
