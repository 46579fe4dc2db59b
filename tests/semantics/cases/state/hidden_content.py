# What the program changes in place of frames, trees and random numbers of a module, and changes back.
# file: work.py
import random
import time
import xml.etree.ElementTree as ET

import pandas as pd

DF = pd.DataFrame({"a": [1, 2, 3]})
TREE = ET.fromstring('<a x="1"/>')
RNG = random.Random(1)


class Model:
    def __init__(self):
        self.weights = pd.Series([1.0])


MODEL = Model()


def f(x):
    time.sleep(0.002)
    place = RNG.getstate()[1][-1]
    return int(DF["a"].sum()), len(DF.columns), TREE.get("x"), float(MODEL.weights.sum()), place, x
# file: main.py
import work

print(work.f(0))
for x in range(2):
    work.DF["a"] = [x, x, x]
    print(work.f(x))
    work.DF.loc[0, "a"] = 50
    print(work.f(x))
    work.DF[f"more{x}"] = 1
    work.TREE.set("x", "9")
    work.MODEL.weights.iloc[0] = x
    print(work.f(x), work.f(x + 1))
    work.RNG.random()
    print(work.f(x))
    work.TREE.set("x", "1")
    work.MODEL.weights.iloc[0] = 1.0
    print(work.f(x), work.f(x + 1))
