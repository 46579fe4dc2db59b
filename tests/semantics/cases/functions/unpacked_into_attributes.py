# Attributes and elements that are assigned together, swapped and starred.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10


def show(value):
    return repr(value)
# file: main.py
from work import f, show
class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right
    def swapped(self):
        self.left, self.right = self.right, self.left
        return self
for x in range(5):
    pair = Pair(x, x * x)
    print(f(pair.left), f(pair.swapped().left), f(pair.right))
numbers = [5, 3, 8, 1, 9]
for i in range(4):
    numbers[i], numbers[i + 1] = numbers[i + 1], numbers[i]
    print(f(numbers[i]), show(numbers))
i, rest = 0, [0] * 5
for x in range(4):
    rest[i], i = x, i + 1
    print(f(i), show(rest))
for x in range(4):
    i, rest[i] = x + 1, -x
    print(f(i), show(rest))
for first, *pair.left in [(1, 2, 3), (4, 5), (6,), (7, 8, 9, 10)]:
    print(f(first), show(pair.left))
count = 0
def bump():
    global count
    count, last = count + 1, count
    return f(last)
for x in range(4):
    print(bump(), count)
def mixed(table):
    for key in "abcd":
        (table[key], *pair.right), ok = (len(table), key, key), True
        print(show(table), show(pair.right), f(int(ok)))
mixed({})
