# What lies between the calls prints; the scout passes that by.
# file: main.py
from work import f

total = 0
for x in range(5):
    print("before", x)
    value = f(x)  # ahead
    total += value
    print("after", value, total)
