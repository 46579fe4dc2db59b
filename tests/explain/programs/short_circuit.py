# Whether the second call is made depends on the first.
# file: main.py
from work import f, g

for x in range(6):
    if f(x) > 2 and g(x) > 2:  # ahead, waits
        print(x)
