# What remote modules that call one another change of globals and random numbers is one state for all,
# where the program's text or theirs names it.
# file: cord.toml
[remote.work]

[remote.caller]

[remote.pure]
pure = true
# file: conf.py
LIMIT = 0
# file: work.py
import random

import conf

KNOWN = {"n": 0}


def size(n=0):
    return n


def look():
    return KNOWN["n"], size(), conf.LIMIT


def set_limit(n):
    conf.LIMIT = n


def seed(n):
    random.seed(n)


def draw():
    return random.random()
# file: pure.py
KNOWN = {"n": 0}


def size(n=0):
    return n


def look(x):
    return x, KNOWN["n"], size()
# file: caller.py
import random

import conf
import pure
import work


def change(n):
    work.KNOWN["n"] = n
    pure.KNOWN["n"] = n
    work.size.__defaults__ = (n,)
    pure.size.__defaults__ = (n,)
    return work.look(), pure.look(n)


def limit(n):
    work.set_limit(n)
    return conf.LIMIT, work.look()


def drawn(n):
    random.seed(n)
    return work.draw(), random.random()


def seeded(n):
    work.seed(n)
    return random.random(), work.draw()
# file: main.py
import random

import conf

import caller
import pure
import work

for n in range(1, 4):
    print(caller.change(n), work.look(), pure.look(n))
    print(caller.limit(n), conf.LIMIT)
    print(caller.drawn(n), work.draw(), random.random())
    print(caller.seeded(n), work.draw(), random.random())
