# Classes whose instances come with arguments, however large these are, have what the program has set on them; others that no call is given do not keep calls in the program.
# file: work.py
def weigh(parts):
    return sum(part.weight() for part in parts)


def length(parts):
    return len(parts)
# file: shapes.py
import threading


class Part:
    scale = 1

    def __init__(self, number):
        self.number = number

    def weight(self):
        return self.number * self.scale


class Kept:
    lock = None

    def __call__(self, number):
        return number, self.lock

    def __eq__(self, other):
        return self.lock is other.lock


def keep():
    Kept.lock = threading.Lock()
# file: main.py
import shapes
import work

parts = [shapes.Part(number) for number in range(20_000)]
print([work.weigh(parts) for _ in range(3)])
for scale in (2, 3):
    shapes.Part.scale = scale
    print([work.weigh(parts) for _ in range(3)], [work.weigh(parts[:4]) for _ in range(3)])
shapes.keep()
print([work.length(list(range(number))) for number in range(12)])
print([work.weigh(parts[:number]) for number in range(12)])
