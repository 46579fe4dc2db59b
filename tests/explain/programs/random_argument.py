# What a seeded generator will give is foreseen by no scout.
# file: main.py
import random

from work import f

random.seed(1)
for _ in range(5):
    print(f(random.randrange(5)))  # in place
