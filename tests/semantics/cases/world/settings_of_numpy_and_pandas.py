# Calls see NumPy's error handling and print options, and pandas' options.
# file: work.py
import numpy as np
import pandas as pd


def divide(x):
    try:
        return str(np.float64(x) / np.float64(0.0))
    except FloatingPointError as exc:
        return str(exc)


def show(x):
    return str(np.array([x / 3, x / 7]))


def frame(x):
    return str(pd.DataFrame({"a": [x / 3] * 6}))
# file: main.py
import numpy as np
import pandas as pd

import work

with np.errstate(all="ignore"):
    print([work.divide(i) for i in range(1, 3)])
with np.errstate(all="raise"):
    print([work.divide(i) for i in range(1, 3)])
np.seterr(all="ignore")
print([work.divide(i) for i in range(1, 3)])
print(work.show(1))
np.set_printoptions(precision=3)
print([work.show(i) for i in range(2)])
with np.printoptions(precision=2):
    print(work.show(1))
print(work.show(1))
print(work.frame(1))
pd.set_option("display.precision", 2)
print(work.frame(1))
with pd.option_context("display.max_rows", 4):
    print(work.frame(1))
print(work.frame(1))
pd.reset_option("display.precision")
print(work.frame(1))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
