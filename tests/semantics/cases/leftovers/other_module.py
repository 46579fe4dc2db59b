# A pure function that changes another module of the project, by that one's own function.
# told: 1
# file: store.py
items = []
total = 0


def add(x):
    global total
    total += x
    items.append(x)


# file: work.py
import store


def f(x):
    t = sum(i % 7 for i in range(3000))
    store.add(x)
    return len(store.items)


# file: main.py
import work, store

for x in range(8):
    print(work.f(x))
print(store.items, store.total)
