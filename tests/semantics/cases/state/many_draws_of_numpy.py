# The same for the shared random numbers of NumPy, which a function may be the first to load.
# file: cord.toml
[remote.work]

[remote.caller]
# file: work.py
import numpy as np


def total(n):
    return float(np.random.rand(n).sum())


def seed(n):
    np.random.seed(n)
# file: caller.py
import numpy as np

import work


def seeded(n):
    np.random.seed(n)
    return work.total(50_000), float(np.random.rand())
# file: main.py
import numpy as np

import caller
import work

np.random.seed(5)
print(float(np.random.rand()), work.total(60_000), float(np.random.rand()), work.total(3))
work.seed(7)
print(work.total(60_000), float(np.random.rand()), caller.seeded(3), float(np.random.rand()))
