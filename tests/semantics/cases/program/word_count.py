# Map and reduce by hand: chunks counted remotely, merged in the client, printed sorted.
# file: text.txt
the cat sat on the mat
the dog sat on the log
a cat and a dog and a log
# file: work.py
from collections import Counter


def count(lines):
    return Counter(word for line in lines for word in line.split())


def merge(a, b):
    return a + b
# file: main.py
from collections import Counter

import work

with open("text.txt") as f:
    lines = f.read().splitlines()
total = Counter()
for start in range(0, len(lines), 2):
    total.update(work.count(lines[start : start + 2]))
tree = [work.count([line]) for line in lines]
while len(tree) > 1:
    tree = [work.merge(*pair) if len(pair) == 2 else pair[0] for pair in zip(*[iter(tree)] * 2)] + (
        [tree[-1]] if len(tree) % 2 else []
    )
for word, n in sorted(total.items(), key=lambda item: (-item[1], item[0])):
    print(word, n, tree[0][word])
