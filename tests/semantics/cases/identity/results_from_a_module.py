# What a pure function returns of its module's state is that state, and the program changes it.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
only = ["settings", "named", "nearest", "default", "row", "pair", "total", "shelf", "kept", "first", "whole"]
# file: work.py
import functools

import shelves

SETTINGS = {"rate": 1, "tags": ["a"]}
DOCS = [{"id": n, "words": ["w"] * n} for n in range(6)]
ROWS = {("x", n): [n, n + 1] for n in range(4)}


class Model:
    def __init__(self, name):
        self.name = name
        self.hits = []


class Store:
    models = {name: Model(name) for name in "abc"}
    first = models["a"]


def settings():
    return SETTINGS


def named(name):
    return Store.models[name]


def nearest(at):
    return [DOCS[at], DOCS[at - 1]], {"best": DOCS[at]}


def default(value, seen=[]):
    return (value, seen)


def row(n):
    return ROWS["x", n]


def pair(one):
    return one, SETTINGS["tags"]


def shelf():
    return shelves.SHELF, shelves.inside()


def kept():
    return Kept.rows


class Kept:
    rows = [[1], [2]]


def first():
    return Store.first


@functools.cache
def _whole():
    return [0]


def whole():
    return [*ROWS.values()]


def total():
    return (
        SETTINGS, [len(doc["words"]) for doc in DOCS], [*ROWS.values()], shelves.SHELF, Kept.rows,
        [(one.name, one.hits) for one in Store.models.values()],
    )
# file: shelves.py
SHELF = [{"n": 1}, {"n": 2}]


def inside():
    return SHELF[1]
# file: main.py
import work
import shelves

for n in range(3):
    s = work.settings()
    print(s, s is work.SETTINGS, s is work.settings())
    s["rate"] += 1
    print(work.settings()["rate"], work.SETTINGS["rate"])

for name in "abc":
    model = work.named(name)
    model.hits.append(name)
    print(model is work.Store.models[name], model is work.named(name), work.named(name).hits)

for at in range(1, 6):
    (one, two), best = work.nearest(at)
    one["words"].append("more")
    print(one is work.DOCS[at], two is work.DOCS[at - 1], best["best"] is one, len(two["words"]))

for n in range(4):
    work.row(n).append(n)
    print(work.row(n), work.ROWS["x", n] is work.row(n))
    mine = [n]
    given, tags = work.pair(mine)
    print(given is mine, tags is work.SETTINGS["tags"])

for n in range(3):
    value, seen = work.default([n])
    seen.append(n)
    print(value, seen, work.default(n))

shelf, part = work.shelf()
print(shelf is shelves.SHELF, part is shelf[1])
part["n"] = 5
work.kept()[0].append(3)
work.first().hits.append("first")
for rows in work.whole():
    rows.clear()
print(work.total(), work.first() is work.Store.first)
