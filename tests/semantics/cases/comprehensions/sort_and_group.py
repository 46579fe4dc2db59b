# sorted, max, min with the remote function as key; groupby and dict counting on results.
# file: work.py
import time


def rank(word):
    time.sleep(len(word) % 3 / 1000)
    return (len(word), word[-1])
# file: main.py
from collections import Counter
from itertools import groupby

from work import rank

words = "pear fig apple kiwi plum banana date lime grape melon".split()
print(sorted(words, key=rank))
print(max(words, key=rank), min(words, key=lambda w: rank(w)[1]))
for key, group in groupby(sorted(words, key=rank), key=lambda w: rank(w)[0]):
    print(key, list(group))
print(Counter(rank(w)[0] for w in words).most_common())
words.sort(key=rank, reverse=True)
print(words)
