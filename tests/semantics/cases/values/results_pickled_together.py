# Results are pickled together: what is one text in them for Python is written once.
# file: work.py
LEVELS = ["low", "middle", "high"]


def graded(i):
    return {"number": i, "level": LEVELS[i % 3], "parity": "odd" if i % 2 else "even"}


def parity(i):
    return "odd" if i % 2 else "even"


def pair(i):
    return "small" if i < 4 else "large", i


def computed(i):
    return ["".join(["x", str(i % 2)]), "number"]


def record(level):
    return {"level": level, "length": len(level)}
# file: main.py
import pickle

import work

graded = [work.graded(i) for i in range(9)]
parities = [work.parity(i) for i in range(9)]
pairs = [work.pair(i) for i in range(9)]
computed = [work.computed(i) for i in range(9)]
records = []
for result in graded:
    records.append(work.record(result["level"]))
for results in (graded, parities, pairs, computed, records, [graded, parities, records]):
    encoded = pickle.dumps(results)
    print(len(encoded), encoded.hex())
print(len({id(key) for result in graded for key in result}))
print(all(result["parity"] is parity for result, parity in zip(graded, parities)))
print(parities[0] is "even"[:])
with open("results.pickle", "wb") as file:
    pickle.dump([graded, parities, pairs, computed], file)
