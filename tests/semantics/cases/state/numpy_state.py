# An array that a module holds is changed in place, and replaced.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import numpy as np
A = np.zeros(3)
def f(x): return float(A.sum()) + x
# file: main.py
import numpy as np
import work
print(work.f(1))
work.A[0] = 100
print(work.f(1))
work.A = np.ones(3)
print(work.f(1))
