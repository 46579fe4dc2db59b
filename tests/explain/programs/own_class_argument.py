# An object of the program's own class is made for each call.
# file: main.py
from dataclasses import dataclass

from work import show


@dataclass
class Point:
    x: int
    y: int


for x in range(4):
    print(show(Point(x, 2 * x)))  # ahead
