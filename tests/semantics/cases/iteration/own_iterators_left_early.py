# An iterator of the program's class is where the program left it, and ends when its loop does.
# file: work.py
def double(x):
    return 2 * x
# file: main.py
from work import double


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


class Noted(Countdown):
    def __del__(self):
        print("gone at", self.left)


class Slotted:
    __slots__ = ("left",)

    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Guarded:
    def __iter__(self):
        try:
            for number in range(9):
                yield number
        finally:
            print("closed")


shared = Countdown(20)
for number in shared:
    print(number, double(number))
    if number == 15:
        break
print(shared.left)
for number, other in zip(shared, shared):
    print(number, other, double(number + other))
    if number < 9:
        break
for place, number in enumerate(shared):
    print(place, double(number), shared.left)
for number in Noted(6):
    print(double(number))
    if number == 2:
        break
print("behind")
for number in Slotted(5):
    print(double(number))
for place, number in enumerate(Guarded()):
    print(place, double(number))
    if place == 3:
        break
print("behind")
for number, letter in zip(Guarded(), "abc"):
    print(letter, double(number))
print("end")
