# Exits under results are guessed not to be taken.
# file: main.py
from work import f


def first(limit):
    for x in range(30):
        value = f(x)  # ahead
        if value > limit:
            return x
        if value < 0:
            break
    return None


print(first(8), first(2), first(5))  # in place, ahead, ahead
