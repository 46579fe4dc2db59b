# A condition that only the program can know.
# file: main.py
import os

from work import f, g

for x in range(5):
    print(f(x))  # ahead
    if os.path.exists("main.py"):
        print(g(x))  # in place
