# The program puts attributes into classes of libraries, which a module does not name, and gives it their instances.
# file: work.py
def use(path, counter, part, i):
    return path.letters, counter.top(), part.percent(), [one.percent() for one in (part, part + i)]
# file: main.py
import collections
import fractions
import pathlib

import work

pathlib.PurePath.letters = property(lambda path: len(str(path)))
collections.Counter.top = lambda counter: counter.most_common(1)[0][0]
fractions.Fraction.percent = lambda part: float(part) * 100
for i in range(6):
    counter = collections.Counter("aab" + "b" * i)
    print(work.use(pathlib.PurePath("a" * i), counter, fractions.Fraction(1, i + 1), i))
    if i == 3:
        fractions.Fraction.percent = lambda part: round(float(part), 2)
