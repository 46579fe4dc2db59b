# A map over a remote function is copied and pickled, and read from both.
# file: work.py
def f(x):
    return x * 2
# file: main.py
import copy
import pickle

import work

m = map(work.f, [1, 2, 3, 4])
print(next(m))
other = copy.copy(m)
third = pickle.loads(pickle.dumps(m))
print(next(other), next(m, "over"), list(third), list(copy.deepcopy(third)), list(m))
