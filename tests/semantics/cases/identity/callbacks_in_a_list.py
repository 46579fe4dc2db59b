# Functions without a name and bound methods are found again among those that a module knows.
# file: work.py
subscribed = []


def knows(callback, value):
    return callback in subscribed, callback(value)
# file: main.py
import work


class Counter:
    step = 2

    def count(self, value):
        return value + self.step


def adding(number):
    return lambda value: value + number


one, two, counter = adding(1), adding(1), Counter()
work.subscribed += [one, counter.count]
for i in range(4):
    print(work.knows(one, i), work.knows(two, i), work.knows(counter.count, i), work.knows(Counter().count, i))
