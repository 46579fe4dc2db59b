# What a pure function changes through the views of a dict, a read-only mapping or a row of an array is seen.
# told: 4
# file: work.py
def add(values, x):
    for value in values:
        value.append(x)
    return x


def add_by_name(names, x):
    names["a"].append(x)
    return len(names)


def add_to_each(items, x):
    for _, value in items:
        value.append(x)
    return x


def put(row, x):
    row["a"] = x
    return float(row["b"])


def look(names, keys):
    return sorted(names), sorted(keys)
# file: main.py
import types

import numpy as np
import work

held = {"a": [1], "b": [2]}
rows = np.zeros(3, dtype=[("a", "f8"), ("b", "f8")])
row = rows[1]
record = rows.view(np.recarray)[2]
for number in range(3):
    print(work.add(held.values(), number), held)
    print(work.add_by_name(types.MappingProxyType(held), number), held)
    print(work.add_to_each(held.items(), number), held)
    print(work.put(row, number), rows, row)
    print(work.put(record, number), rows, record)
    print(work.look(types.MappingProxyType(held), held.keys()))
print(len(work.look(vars(types.SimpleNamespace), {}.keys())[0]) > 0)
