# A loop whose condition is a result.
# file: main.py
from work import f

x = 1
while x < 50:
    x = f(x) + x + 1  # waits
print(x)
