# A loop over the results of the first one.
# file: main.py
from work import f, g

first = [f(x) for x in range(5)]  # ahead
print(first)
second = [g(y) for y in first]  # ahead
print(second)
