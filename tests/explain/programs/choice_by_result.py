# Results decide which call comes next, and what a branch binds is passed on.
# file: main.py
from work import f, g, h

x = 0
while True:
    if f(x) > 8:  # waits
        break
    if x % 2 == 0:
        x = h(x, 1)  # waits
    else:
        x = g(h(x, 1))  # waits, waits
print(x)
