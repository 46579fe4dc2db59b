# A method on what a subscript gives: the object inside is not the scout's own.
# file: main.py
from work import f, total

groups = {"a": [], "b": []}
for x in range(6):
    key = "ab"[f(x) % 2]  # ahead
    groups[key].append(x)
for key in groups:
    print(total(groups[key]))  # ahead
