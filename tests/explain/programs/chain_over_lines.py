# The result travels through variables and arithmetic.
# file: main.py
from work import f, g, h

for x in range(6):
    a = f(x)  # ahead
    b = g(a + 1)  # waits
    c = h(b, a)  # waits
    print(a, b, c)
