# Dicts of `collections` that make what is missing, change their order, and are changed in between.
# file: work.py
def told(*values): return ":".join(map(str, values))
# file: main.py
from collections import Counter, OrderedDict, defaultdict

import work


class Loud(dict):
    def __missing__(self, key):
        print("missing", key)
        return key * 2


made = defaultdict(lambda: len(made))
for i in range(12):
    print(work.told(i, made[i % 5], 7 in made, len(made)))
    if i == 8:
        del made[2]
order = OrderedDict.fromkeys("abcde")
for turn in range(3):
    for name in list(order):
        print(work.told(turn, name, list(order)))
        if name == "c":
            order.move_to_end("a")
count = Counter()
for word in "to be or not to be".split():
    print(work.told(word, count[word], count["none"], sorted(count.items())))
    count[word] += 1
loud = Loud(a=1)
for key in ["a", "b", "a", "c"]:
    print(work.told(key, loud[key], loud.get(key)))
try:
    for key in order:
        print(work.told(key))
        order["new"] = work.told(key, "new")
except RuntimeError as error:
    print(error)
