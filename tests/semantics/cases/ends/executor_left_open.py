# An executor that nobody has shut down does what it was given, and ends.
# file: work.py
import time
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)


def job(name):
    time.sleep(0.5)
    print("job", name)


def submit(name):
    pool.submit(job, name)
    return name
# file: main.py
import work

for name in "abc":
    print(work.submit(name))
print("end")
# file: cord.toml
[remote.work]
