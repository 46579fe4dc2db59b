# Steps that are called in turn by one line: some make remote calls, some do not.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Shape:
    def area(self, k):
        return k
class Round(Shape):
    def area(self, k):
        return f(k)
def first(x):
    return x + 1
def second(x):
    return f(x)
def third(x):
    return x * 2
def run(steps, x):
    for step in steps:
        x = step(x)
    return x
for steps in ([first, second], [second, third], [first, second, third], [third, f, first, second]):
    for x in range(6):
        print(run(steps, x))
for k in range(6):
    print([shape.area(k) for shape in (Shape(), Round(), Shape(), Round())])
