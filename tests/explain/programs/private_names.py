# Attributes and methods with two leading underscores, which Python writes out inside a class.
# file: main.py
from work import f


class Scale:
    def __init__(self, k):
        self.__k = k

    def __one(self, x):
        return f(x * self.__k)  # ahead

    def run(self, values):
        return [self.__one(x) for x in values]  # ahead


print(Scale(3).run(range(5)))  # in place
