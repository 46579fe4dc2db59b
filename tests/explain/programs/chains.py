# A call whose argument is the result of another one waits for it; other turns go on.
# file: main.py
from work import f, g

for x in range(6):
    print(f(g(x)))  # waits, ahead
