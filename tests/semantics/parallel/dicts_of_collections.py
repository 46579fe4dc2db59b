# What is in a defaultdict, an OrderedDict or a Counter is walked and looked up as in a dict.
# overlap: 3
# file: main.py
from collections import Counter, OrderedDict, defaultdict

import work

groups = defaultdict(list)
for i in range(12):
    groups[i % 4].append(i)
sizes = OrderedDict((name, len(name)) for name in ("pear", "fig", "apple"))
sizes.move_to_end("pear")
letters = Counter("abracadabra")


def by_group():
    for key, members in groups.items():
        for member in members:
            print(key, member, work.nap(key, member))


def by_size():
    for name in sizes:
        for member in groups[2]:
            print(name, work.nap(sizes[name], member), 9 in groups)


def by_letter():
    for letter in sorted(letters):
        for name, size in sizes.items():
            print(letter, name, work.nap(letters[letter] + letters.get("z", 0), size))


by_group()
by_size()
by_letter()
