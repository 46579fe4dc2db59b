# Arrays that lie in the same memory: what a call does to one shows in the other.
# told: 1
# file: work.py
def add(some, others):
    some += 1
    return int(others.sum())


def add_all(arrays):
    for one in arrays:
        one += 1
    return [int(one.sum()) for one in arrays]
# file: main.py
import numpy as np
import work

whole = np.arange(10)
print([work.add(whole[:5], whole[3:]) for _ in range(4)], whole)
print([work.add(whole[::2], whole) for _ in range(3)], whole)
print([work.add(whole.reshape(2, 5).T, whole) for _ in range(3)], whole)
print(work.add_all([whole[:6], whole[4:]]), whole)
print(work.add(whole[:5], whole[5:]), whole)
# file: cord.toml
[remote.work]
