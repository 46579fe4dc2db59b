# Random numbers of numpy and of `random`, drawn and shuffled with seeds, are arguments of the calls.
# overlap: 4
# file: main.py
import random

import numpy as np
import work


def by_numpy():
    rng = np.random.default_rng(7)
    for i in range(8):
        sample = rng.normal(i, scale=2.0, size=3)
        print(work.nap_all([int(value) for value in sample]))
    return rng.integers(0, 10, size=3).tolist()


def by_the_module():
    np.random.seed(3)
    found = [work.nap_all(np.random.randint(0, 9, 4).tolist()) for _ in range(8)]
    return found, np.random.rand()


def in_the_old_way():
    old = np.random.RandomState(11)
    for i in range(8):
        order = old.permutation(4)
        print(work.nap(int(order[0]), y=i), old.choice([1, 2, 3]))


def seeded_in_the_loop():
    for i in range(8):
        rng = random.Random(i)
        print(work.nap_all(rng.choices([1, 2, 3], k=4)), rng.random())
    for i in range(8):
        rng = np.random.default_rng(seed=i)
        print(work.nap_all(rng.poisson(3, size=2).tolist()))


def shuffled():
    rng = random.Random(4)
    cards = list(range(10))
    same = cards
    for _ in range(8):
        rng.shuffle(cards)
        print(work.nap_all(same), rng.random())
    random.seed(5)
    for i in range(8):
        deck = [i, 1, 2, 3]
        random.shuffle(deck)
        print(work.nap_all(deck), random.random())


print(by_numpy())
print(by_the_module())
in_the_old_way()
seeded_in_the_loop()
shuffled()
