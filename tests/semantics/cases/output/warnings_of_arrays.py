# Arithmetic on arrays warns where the program does it, once, and lists of warnings are the program's.
# file: work.py
def total(values): return float(values.sum())
# file: main.py
import warnings

import numpy as np
import work

values = np.arange(4.0)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for i in range(6):
        print(work.total(values * 1e308 * i))
        print(work.total(np.log(values - i)))
    print([(str(one.message), one.lineno) for one in seen])
warnings.simplefilter("error")
for i in range(3, -2, -1):
    try:
        print(work.total(values / np.float64(i)))
    except RuntimeWarning as warning:
        print("warned:", warning)
for i in range(4):
    print(work.total(np.array([1.0, i]) * values[:2]))
