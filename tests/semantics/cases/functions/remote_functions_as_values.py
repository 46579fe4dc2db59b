# Remote functions as keys, members and parts of objects are those that their module knows.
# file: work.py
def relu(x):
    return max(0, x)


def same(x):
    return x


NAMED = {"relu": relu, "same": same}
SLOPES = {relu: lambda x: float(x > 0), same: lambda x: 1.0}


def get(name):
    return NAMED[name]


class Layer:
    def __init__(self, function=relu):
        self.function = function

    def slope(self, x):
        return SLOPES[self.function](x)

    def is_usual(self):
        return self.function == relu


class Bus:
    def __init__(self):
        self.handlers = [relu]

    def add(self, function):
        if function not in self.handlers:
            self.handlers.append(function)

    def remove(self, function):
        self.handlers.remove(function)


class Task:
    def __init__(self, function, *args):
        self.function, self.args = function, args

    def __call__(self):
        return self.function(*self.args)

    def __eq__(self, other):
        return self.function == other.function and self.args == other.args

    def __hash__(self):
        return hash((self.function, self.args))


def plan(n):
    return [Task(relu, i) for i in range(n)] + [Task(same, n)]


def run(tasks):
    return [task() for task in tasks]
# file: main.py
import work

print(work.Layer().slope(2), work.Layer(work.NAMED["same"]).slope(-1), work.get("relu").__name__)
print(work.Layer(work.get("relu")).slope(-1), work.Layer(work.same).slope(3))
print(work.Layer(work.relu).is_usual(), work.Layer(work.same).is_usual())
bus = work.Bus()
for function in (work.relu, work.same, work.same):
    bus.add(function)
print(len(bus.handlers))
bus.remove(work.relu)
print([one(-2) for one in bus.handlers])
tasks = work.plan(3)
print(work.run(tasks), tasks[0] == work.Task(work.relu, 0))
print(len({*tasks, work.Task(work.same, 3)}), work.relu != work.same, {work.relu: 1}[work.relu])
counts = {}
for task in [*tasks, work.Task(work.relu, 5)]:
    counts[task.function] = counts.get(task.function, 0) + 1
print({one.__name__: count for one, count in counts.items()}, len(counts))
