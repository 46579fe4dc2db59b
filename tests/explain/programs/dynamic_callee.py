# What is called comes out of a table, or is a parameter.
# file: main.py
from work import f, g


def apply(function, values):
    for value in values:
        print(function(value))  # ahead


table = {"f": f, "g": g, "s": str}
for name in ["f", "g", "f", "s", "g"]:
    print(table[name](3))  # ahead
apply(f, range(4))  # ahead
apply(g, range(4))  # ahead
