# A call in a handler: whether it is made depends on an exception of a result.
# file: main.py
from work import f, picky

for x in range(10):
    try:
        print(picky(x))  # ahead
    except ValueError:
        print("instead", f(x))  # ahead
