# match statements on results and around calls, guards included.
# file: work.py
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


def classify(n):
    return [("even", n), {"odd": n}, Point(n, 0), None, [n, n + 1, n + 2], "text"][n % 6]


def big(n):
    return n > 6
# file: main.py
import work
from work import Point, classify

for n in range(13):
    match classify(n):
        case ("even", value) if work.big(value):
            print("big even", value)
        case ("even", value):
            print("even", value)
        case {"odd": value}:
            print("odd", value)
        case Point(x=x, y=0) if not work.big(x):
            print("small point", x)
        case Point():
            print("point")
        case [first, *rest]:
            print(first, rest)
        case None | "text" as it:
            print("other", it)
