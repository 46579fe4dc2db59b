# No loop: the calls of a module, one after the other.
# file: main.py
from work import f, g

a = f(1)  # in place
b = g(2)  # ahead
print(a, b)
print(f(3) + g(4))  # ahead, ahead
