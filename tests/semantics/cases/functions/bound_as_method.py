# A remote function put into a class gets self as its first argument.
# file: work.py
def describe(self, *rest):
    return type(self).__name__, self.n, rest
# file: models.py
class Thing:
    def __init__(self, n):
        self.n = n
# file: main.py
import models
import work

models.Thing.describe = work.describe
for n in range(3):
    thing = models.Thing(n)
    print(thing.describe(), thing.describe(n, "x"), models.Thing.describe(thing, 1))
bound = thing.describe
thing.n = 50
print(bound("later"), bound.__name__, bound.__self__ is thing)
