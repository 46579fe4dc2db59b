# A method of an abstract class calls those of its subclasses, which call those above by `super()`.
# overlap: 3
# file: main.py
import abc

import work


class Job(abc.ABC):
    known = {}

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        Job.known[cls.__name__] = cls

    def __init__(self, number):
        self.number = number

    def run(self):
        return self.changed(work.nap(self.number))

    @abc.abstractmethod
    def changed(self, value): ...


class Double(Job):
    def changed(self, value):
        return work.nap(value * 2)


class More(Double):
    def __init__(self, number, more=1):
        super().__init__(number + 1)
        self.more = more

    def changed(self, value):
        return super().changed(value + self.more)


results = []
for i in range(10):
    for name, job in Job.known.items():
        results.append((name, job(i).run()))
print(results)
