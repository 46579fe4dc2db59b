# Generators that yield from themselves, over trees.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
def walk(tree):
    left, value, right = tree
    if left:
        yield from walk(left)
    yield value
    if right:
        yield from walk(right)
tree = (((None, 1, None), 2, (None, 3, None)), 4, ((None, 5, None), 6, None))
for value in walk(tree):
    print(f(value))
def scored(tree):
    left, value, right = tree
    if left: yield from scored(left)
    yield f(value)
    if right: yield from scored(right)
for value in scored(tree):
    print(value)
def flat(items):
    for item in items:
        if isinstance(item, list):
            yield from flat(item)
        else:
            yield f(item)
print(list(flat([1, [2, [3, 4], 5], [[6]]])))
