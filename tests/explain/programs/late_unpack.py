# Results in pairs, unpacked, passed on in a second loop.
# file: main.py
from work import f, pair

for x in range(5):
    a, b = pair(x)  # ahead
    print(f(a), f(b))  # waits, waits
