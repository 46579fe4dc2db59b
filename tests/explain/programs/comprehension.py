# Comprehensions are loops, those inside others too.
# file: main.py
from work import f, g

print([f(x) for x in range(5)], {x: g(x, y) for x in range(3) for y in range(2) if x != y})  # ahead, ahead
