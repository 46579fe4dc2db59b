# Functions that are asked for items until they give the sentinel, wherever that is read.
# file: work.py
def double(x):
    return 2 * x
# file: main.py
from work import double

waiting = [0, *range(6, 0, -1)]
print([double(item) for item in iter(waiting.pop, 0)], waiting)
waiting = [None, 3, 2, 1]
for item in map(double, iter(lambda: waiting.pop(), None)):
    print(item, waiting)
    if item == 4:
        waiting.append(40)
waiting = [3, 2, 1]
try:
    print([double(item) for item in iter(waiting.pop, 9)])
except IndexError as error:
    print(error)


def told():
    print("asked")
    return waiting.pop()


waiting = [0, 3, 2, 1]
asked = iter(told, 0)
for place, item in enumerate(asked):
    print(place, double(item))
    if item == 2:
        break
print(next(asked), list(asked), waiting)
waiting = [0, 3, 2, 1, 0, 5, 4]
pairs = zip(iter(waiting.pop, 0), iter(waiting.pop, 0))
print([double(a + b) for a, b in pairs], waiting)
print(sum(map(double, iter(waiting.pop, 3))), max(iter(lambda: double(waiting.pop()), 0), default=1))
