# The program sets what no setting has: a handler of NumPy's errors.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import numpy as np


def divided(x):
    return np.array([x, 1.0]) / np.zeros(2)


def doubled(x):
    return 2 * x
# file: main.py
import numpy as np

import work

heard = []
np.seterrcall(lambda kind, flag: heard.append((kind, flag)))
np.seterr(all="call")
print([work.divided(x).tolist() for x in (1.0, 2.0)], heard)
print(work.doubled(2), work.doubled(3))
