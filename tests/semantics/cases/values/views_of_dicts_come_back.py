# A view of a dict that a function returns shows what the program changes in the dict; frames that are grouped, too.
# file: work.py
import collections

import pandas


def names(d):
    return d.keys()


def more(d):
    return [d.values(), d.items()], d


def own(n):
    return collections.OrderedDict.fromkeys(range(n)).keys()


def grouped(frame):
    return frame.groupby("k")


def count(view):
    return sorted(view)
# file: main.py
import collections

import pandas as pd
import work

d = {"a": 1}
o = collections.OrderedDict(a=1)
frame = pd.DataFrame({"a": [1, 2, 3], "k": list("xyx")})
for i in range(3):
    names, ordered = work.names(d), work.names(o)
    (values, items), same = work.more(d)
    grouping = work.grouped(frame)
    d[f"{i}"] = o[f"{i}"] = i
    frame["a"] += 1
    print(names, ordered, values, items, same is d)
    print(work.own(i), work.count(d.keys()), type(ordered).__name__)
    print(grouping["a"].sum().to_dict(), grouping.obj is frame)
