# The lines of a file, read while the loop runs.
# file: main.py
from work import f

with open("main.py") as lines:
    for line in lines:
        f(len(line))  # ahead
