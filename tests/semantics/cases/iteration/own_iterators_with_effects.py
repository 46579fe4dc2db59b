# Iterators of the program's classes that print, fail, are changed in the loop, or share a list.
# file: work.py
def double(x):
    return 2 * x
# file: main.py
from work import double


class Told:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        print("begins")
        return self

    def __next__(self):
        print("asked at", self.count)
        if self.count == 0:
            raise StopIteration("empty")
        self.count -= 1
        return self.count


class Failing:
    def __init__(self, good):
        self.good = list(good)

    def __iter__(self):
        return self

    def __next__(self):
        if not self.good:
            raise ValueError("nothing is left")
        return self.good.pop()


class Window:
    """Stops where the program says."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.at = -1
        self.end = len(numbers)

    def __iter__(self):
        self.at = -1
        return self

    def __next__(self):
        self.at += 1
        if self.at >= self.end:
            raise StopIteration
        return self.numbers[self.at]


class Sure:
    """Its end is caught by itself."""

    def __init__(self):
        self.turns = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.turns += 1
        try:
            if self.turns % 3 == 0:
                raise StopIteration
        except StopIteration:
            if self.turns > 9:
                raise
            return -self.turns
        return self.turns


for number in Told(4):
    print(double(number))
try:
    for number in Failing(range(5)):
        print(double(number))
except ValueError as error:
    print(error)
window = Window([1, 2, 3, 4, 5, 6, 7, 8])
for number in window:
    print(double(number))
    if number == 3:
        window.end = 6
    if number == 4:
        window.numbers[4] = 50
    if number == 50:
        window.at += 0
        window.numbers.append(9)
for number in window:
    if number == 2:
        window.at = 4
    print(double(number))
for number in Sure():
    print(double(number))
    if number > 20:
        break
rows = [3, 1, 2]
for number in Window(rows):
    rows.append(double(number))
print(rows)
print([double(number) for number in zip(Window(rows), Told(3))])
print(sum(double(number) for number in Window(rows)), max(Window(rows)), sorted(Window(rows)))
