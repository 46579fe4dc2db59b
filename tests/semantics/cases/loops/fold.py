# A fold: each call takes the result of the one before, in a loop and with reduce.
# file: work.py
def merge(left, right):
    out = []
    left, right = list(left), list(right)
    while left and right:
        out.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return out + left + right
# file: main.py
from functools import reduce

import work

runs = [[3, 9], [1, 4, 12], [], [2, 2, 8], [0]]
state = []
for run in runs:
    state = work.merge(state, run)
    print(state)
print(reduce(work.merge, runs))
print(reduce(lambda a, b: work.merge(b, a), runs, [100]))
