# Each call needs the result of the one before: no scout can be earlier than the program.
# file: main.py
from work import f

x = 1
for i in range(6):
    x = f(x)  # waits
print(x)
