# The client writes, sleeps, prints and changes directories while calls are under way.
# file: work.py
import os
import time


def f(x):
    time.sleep(0.002)
    return os.path.basename(x) + "!"
# file: main.py
import os
import time

import work

names = ["a/1", "b/2", "c/3", "d/4"]
os.mkdir("sub")
for k, name in enumerate(names):
    time.sleep(0.001)
    with open(f"out{k}.txt", "w") as out:
        out.write(work.f(name))
        out.write(name)
    os.environ["TURN"] = str(k)
    print(sorted(n for n in os.listdir() if n.startswith("out")), os.environ["TURN"])
os.chdir("sub")
print(work.f(os.getcwd()), [work.f(n) for n in reversed(names)])
