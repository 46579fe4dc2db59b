# An iterator without end.
# file: main.py
import itertools

from work import f

for n in itertools.count():
    if n == 5:
        break
    print(f(n))  # ahead
