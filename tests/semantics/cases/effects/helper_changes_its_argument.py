# A helper changes what it is given, or a default of its own, before it makes its call.
# file: work.py
def square(x):
    return x * x
# file: main.py
from work import square


def pop(queue):
    x = queue.pop()
    return square(x)


def push(n, seen=[]):
    seen.append(n)
    return square(len(seen))


def update(table, key):
    table[key] = table.get(key, 0) + 1
    return square(table[key])


queue = [1, 2, 3, 4]
while queue:
    print(pop(queue))
for n in range(5):
    print(push(n), push(n))
table = {}
for key in "abcab":
    print(key, update(table, key))
print(table)
