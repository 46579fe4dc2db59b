# A pure function of the main script that changes an object and a class there.
# told: 1
# file: cord.toml
[remote.__main__]
only = ["f"]
pure = true
# file: main.py
import sys


class Box:
    count = 0

    def __init__(self):
        self.items = []

    def put(self, x):
        self.items.append(x)
        Box.count += 1


box = Box()


def f(x):
    t = sum(i % 7 for i in range(3000))
    box.put(x)
    return len(box.items)


def run():
    for x in range(8):
        print(f(x))
    print(Box.count, box.items)


run()
