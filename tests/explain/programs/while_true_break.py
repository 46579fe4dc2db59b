# An endless loop that a result ends.
# file: main.py
from work import f

n = 0
while True:
    if f(n) > 6:  # ahead
        break
    n += 1
print(n)
