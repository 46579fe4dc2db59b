# A method changes the object whose attribute is the argument.
# file: main.py
from work import f


class Counter:
    def __init__(self):
        self.n = 0

    def up(self):
        self.n += 1


counter = Counter()
for _ in range(6):
    counter.up()
    print(f(counter.n))  # ahead
