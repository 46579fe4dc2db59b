# Attributes of objects whose classes are derived from the library's in C.
# file: kinds.py
import array, collections, datetime, decimal, fractions, functools, random
import numpy as np
class Tagged(np.ndarray): pass
class Finalized(np.ndarray):
    def __array_finalize__(self, obj): self.unit = getattr(obj, "unit", None)
class Day(datetime.date): pass
class Moment(datetime.datetime): pass
class Money(decimal.Decimal): pass
class Ratio(fractions.Fraction): pass
class Queue(collections.deque): pass
class Ordered(collections.OrderedDict): pass
class Count(collections.Counter): pass
class Part(functools.partial): pass
class Dice(random.Random): pass
class Row(array.array): pass
class Data(bytearray): pass
class Integer(int): pass
class Text(str): pass
class Delta(datetime.timedelta): pass
# file: work.py
import time
import kinds
def look(x):
    time.sleep(0.001)
    return type(x).__name__, getattr(x, "unit", "none"), getattr(x, "__dict__", None) == {"unit": "kg"}
def make(name, *args):
    made = getattr(kinds, name)(*args); made.unit = "m"; return made
# file: main.py
import numpy as np
import kinds, work
values = [np.zeros(3).view(kinds.Tagged), np.arange(6).reshape(2, 3).view(kinds.Finalized),
    kinds.Day(2020, 1, 2), kinds.Moment(2020, 1, 2, 3), kinds.Money("1.5"), kinds.Ratio(1, 3),
    kinds.Queue([1]), kinds.Ordered(a=1), kinds.Count("aab"), kinds.Part(int, 3), kinds.Dice(3),
    kinds.Row("d", [1.0]), kinds.Data(b"x"), kinds.Integer(5), kinds.Text("abc"), kinds.Delta(3)]
for value in values:
    try:
        value.unit = "kg"
    except AttributeError as error:
        print(error)
    print(work.look(value))
    print(work.look(value))
for name, args in [("Day", (2020, 1, 2)), ("Money", ("2",)), ("Queue", ([1, 2],)), ("Integer", (4,)), ("Delta", (1,)), ("Text", ("t",))]:
    made = work.make(name, *args)
    print(type(made).__name__, made, made.unit)
