# A loop whose counter is at hand.
# file: main.py
from work import f

n = 0
while n < 8:
    print(f(n))  # ahead
    n += 1
