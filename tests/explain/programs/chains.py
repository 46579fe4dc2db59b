# A call whose argument is the result of another one is given it where it is made.
# file: main.py
from work import f, g

for x in range(6):
    print(f(g(x)))  # ahead, ahead
