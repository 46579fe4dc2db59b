# Arrays that were passed, some of them kept by replicas, are resized in place: that is refused where
# somebody else refers to them, even weakly.
# file: work.py
import numpy as np


def total(x, i):
    return float(x.sum()) + i


def kept(x, i):
    return float(x[:10].sum()) + i
# file: main.py
import numpy as np

import work

x = np.arange(300_000.0)
for i in range(6):
    print(work.total(x, i))
x.resize((400_000,), refcheck=False)
for i in range(3):
    print(x.shape, work.total(x, i))

y = np.ones(300_000)
for i in range(6):
    print(work.kept(y, i))
y.resize((3, 50_000), refcheck=False)
for i in range(3):
    print(y.shape, work.kept(y[0], i), work.kept(y, i))
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true

[remote.work.functions.kept]
resident = ["x"]
