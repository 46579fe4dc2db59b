# An iterator that several loops share gives each item once, in order, whoever has read it first.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[assume]
pure = ["search.numbers", "search.Reader.lines", "search.Reader.letters", "main.own"]
# file: search.py
def numbers(end):
    for number in range(end):
        yield number
    return "the end"


class Reader:
    def __init__(self, text):
        self.text = text

    def lines(self):
        yield from self.text.split()

    @staticmethod
    def letters(word):
        return iter(lambda i=iter(word): next(i, None), None)


# file: work.py
def square(x):
    return x * x


def shout(text):
    return text.upper()
# file: main.py
import itertools

import work
from search import Reader, numbers


def own(end):
    for number in range(end):
        yield -number


def sharing():
    items = numbers(40)
    print(next(items), next(items))
    for item in items:
        print(work.square(item))
        if item == 6:
            break
    print("between", next(items))
    for item in itertools.islice(items, 5):
        print(work.square(item))
    for a, b in zip(items, items):
        print(a, b, work.square(a + b))
        if a > 20:
            break
    print(30 in items, [work.square(item) for item in items if item % 2])
    print(list(items), next(items, "gone"))


sharing()
for item in own(9):
    print(work.square(item))
    if item == -4:
        break
for line in Reader("one two three four five").lines():
    print(work.shout(line), [work.shout(letter) for letter in Reader.letters(line)])
nested = numbers(12)
for a in nested:
    for b in nested:
        print(a, b, work.square(b))
        if b % 4 == 0:
            break
print(sum(work.square(x) for x in numbers(10)), *map(work.square, numbers(5)))
print(max(numbers(30), key=work.square), work.square(len(list(numbers(7)))))
forever = itertools.count()
for x in forever:
    print(work.square(x))
    if x > 9:
        break
print(next(forever))
