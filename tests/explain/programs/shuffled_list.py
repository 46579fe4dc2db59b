# A list is shuffled between the calls: a scout draws the same order in copies of its own.
# file: main.py
import random

from work import f

random.seed(2)
items = [1, 2, 3, 4]
for _ in range(4):
    random.shuffle(items)
    print(f(items[0]))  # ahead
