# A function makes the function that makes the calls.
# overlap: 3
# file: main.py
from work import nap


def make(k):
    def score(x):
        return nap(x, k)

    return score


def main():
    square = make(2)
    return [square(i) for i in range(8)]


score = make(3)
print([score(i) for i in range(8)], main())
