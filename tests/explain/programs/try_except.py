# Every call in its own try.
# file: main.py
from work import picky

for x in range(8):
    try:
        print(picky(x))  # ahead
    except ValueError as error:
        print("bad", error)
