# The lines of a file, read before the loop.
# file: main.py
from work import f

with open("main.py") as file:
    lines = list(file)
for line in lines:
    f(len(line))  # ahead
