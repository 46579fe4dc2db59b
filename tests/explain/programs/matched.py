# A match statement over data at hand.
# file: main.py
from work import f, g

for job in [("f", 1), ("g", 2), ("f", 3), ("h", 4), ("g", 5)]:
    match job:
        case ("f", x):
            print(f(x))  # ahead
        case ("g", x):
            print(g(x))  # ahead
        case _:
            print("?")
