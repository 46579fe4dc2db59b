# Getters and methods of a class made from str.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Word(str):
    @property
    def size(self): return len(self)
    def tail(self): return self[1:]
words = [Word(w) for w in "one three fifteen four five".split()]
for w in words:
    print(f(w.size))
for w in words:
    print(f(len(w.tail())))
