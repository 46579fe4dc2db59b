# Short circuits over results.
# file: main.py
from work import f

print(any(f(x) > 3 for x in range(6)), all(f(x) < 9 for x in range(6)))  # ahead, ahead
print(next(x for x in range(9) if f(x) > 4))  # ahead
