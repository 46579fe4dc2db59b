# A module that empties a file when it is imported does so once: replicas do not import it.
# told: 2
# file: work.py
import os
import time

LOG = open("log", "w")
with open("lines", "a"):
    pass
os.makedirs("out", exist_ok=True)


def square(x):
    return x * x


def log(x):
    LOG.write(f"{x}\n")
    LOG.flush()
    return x
# file: main.py
import time
import work

for i in range(4):
    print(work.log(i), work.square(i))
time.sleep(0.2)
print([work.square(i) for i in range(4)])
print(open("log").read())
