# Methods of one object that call one another, in a loop outside.
# file: main.py
from work import f


class Model:
    def __init__(self, k):
        self.k = k

    def one(self, x):
        return f(x + self.k)  # ahead

    def both(self, x):
        return self.one(x) + self.one(x + 1)  # ahead, ahead


model = Model(2)
for x in range(4):
    print(model.both(x))  # ahead
