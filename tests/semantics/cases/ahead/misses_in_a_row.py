# Every guess of what comes next is wrong: the arguments depend on the last result.
# file: work.py
def hash_(x):
    return (x * 2654435761 + 12345) % 2**32


def pick(x, items):
    return items[x % len(items)]
# file: main.py
import work

x = 1
items = list("abcdefg")
for i in range(40):
    x = work.hash_(x)
    chosen = work.pick(x, items)
    items.remove(chosen)
    items.insert(0, chosen)
    if i % 10 == 9:
        print(i, x, chosen, "".join(items))
