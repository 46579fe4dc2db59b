# Looking up a key creates it: defaultdict, __missing__, setdefault.
# file: work.py
def f(x):
    return x
# file: main.py
from collections import defaultdict

import work


class Table(dict):
    def __missing__(self, key):
        print("missing", key)
        self[key] = len(self)
        return self[key]


table, groups, plain = Table(), defaultdict(list), {}
for word in "b a b c a d".split():
    print(work.f(table[word]), work.f(groups[word]), work.f(plain.setdefault(word, len(plain))))
    groups[word].append(len(groups))
print(table, dict(groups), plain)
