# An argument may be of a class that says how it is pickled.
# file: main.py
from work import show


class Image:
    def __init__(self, n):
        self.n = n

    def __getstate__(self):
        return {"n": self.n}


def images(n):
    return [Image(n), Image(n + 1)]


for one in images(1):
    print(len(show(one)) > 0)  # ahead
for number in [1, 2, 3]:
    print(show(number))  # ahead
