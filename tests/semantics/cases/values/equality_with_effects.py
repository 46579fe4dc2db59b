# Argument classes with an __eq__, __hash__ and __bool__ that print: nobody but the program asks.
# file: work.py
class Key:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        print("eq", self.n, other.n)
        return self.n == other.n

    def __hash__(self):
        print("hash", self.n)
        return self.n

    def __bool__(self):
        print("bool", self.n)
        return True


def number(key):
    return key.n
# file: main.py
import work

keys = [work.Key(n) for n in (1, 2, 1)]
for key in keys:
    print(work.number(key))
    key.n += 10
print([work.number(key) for key in keys])
print(keys[0] == keys[2], {keys[0]: 1}[keys[2]])
