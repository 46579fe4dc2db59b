# A loop that goes on as long as something unknown says.
# file: main.py
import os

from work import f, g

n = 0
while os.path.exists(f"stop{n}") or n < 5:
    print(f(n))  # in place
    n += 1
print(g(n))  # in place
