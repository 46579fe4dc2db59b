# A list is shuffled between the calls: no scout draws the same order.
# file: main.py
import random

from work import f

random.seed(2)
items = [1, 2, 3, 4]
for _ in range(4):
    random.shuffle(items)
    print(f(items[0]))  # in place
