# The compiler makes a frozenset of a set of constants that a loop runs over; its order counts.
# file: work.py
def show(x):
    return x
# file: main.py
from work import show

for color in {"red", "green", "blue", "black", "white", "pink"}:
    print(show(color))
print([show(color) for color in {"red", "green", "blue", "black", "white", "pink"}])
print({color: show(n) for n, color in enumerate({"red", "green", "blue", "black", "white", "pink"})})
later = (show(color) for color in {"red", "green", "blue", "black", "white", "pink"})
print(list(later))
print(" ".join(show(color) for color in {"red", "green", "blue", "black", "white", "pink"}))
print([show(number) for number in {(-3, 8), 8, 16, -1, None, 1.5, b"x"}])
name = "grey"
print([show(color) for color in {"red", name, "blue", "black", "white", "pink"}])
