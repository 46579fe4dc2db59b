# The program leaves at once while calls are under way.
# file: work.py
def f(x): return x
# file: main.py
import os, sys
from work import f
for i in range(100):
    print(f(i))
    if i == 7:
        os._exit(9)
