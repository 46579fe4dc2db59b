# A function keeps results in a dict of its module.
# overlap: 4
# file: main.py
import work

memo = {}


def score(x):
    if x not in memo:
        memo[x] = work.nap(x)
    return memo[x]


print([score(i % 12) for i in range(24)])
print(sorted(memo))
