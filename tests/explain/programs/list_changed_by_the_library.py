# A library function changes the list between the calls.
# file: main.py
import operator

from work import f

items = [1, 2, 3, 4]
for i in range(4):
    operator.setitem(items, 0, i)
    print(f(items[0]))  # in place
