# What Cord does about the threads of numerical libraries does not show in os.environ.
# file: work.py
import os

def shown():
    return sorted(name for name in os.environ if name.endswith("_NUM_THREADS"))

def number():
    return os.environ.get("OMP_NUM_THREADS")
# file: main.py
import os

import work

print(work.shown(), work.number())
os.environ["OMP_NUM_THREADS"] = "7"
print(work.shown(), work.number())
del os.environ["OMP_NUM_THREADS"]
print(work.shown(), work.number())
# file: cord.toml
[remote.work]
blas_threads = 1
