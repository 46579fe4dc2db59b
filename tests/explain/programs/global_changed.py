# A function changes the global that the argument is made from.
# file: main.py
from work import f

step = 1


def faster():
    global step
    step += 1


for x in range(6):
    print(f(x * step))  # ahead
    faster()
