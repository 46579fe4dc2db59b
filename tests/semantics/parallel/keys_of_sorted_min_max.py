# Remote calls are the keys by which is sorted.
# overlap: 3
# file: main.py
import heapq

from work import nap


def main(words):
    print(sorted(words, key=lambda word: nap(len(word)), reverse=True))
    print(max(words, key=lambda word: nap(len(word), 2)))


main(["x" * i for i in range(12)])
print(sorted(range(9), key=nap), min(range(9), key=nap))
for x in sorted([3, 1, 2] * 3, key=lambda x: -x):
    print(nap(x))
print(heapq.nlargest(3, range(9), key=nap), heapq.nsmallest(-1, range(9), key=nap))
for x in heapq.nlargest(4, [3, 1, 2] * 3, key=lambda x: -x):
    print(nap(x))
