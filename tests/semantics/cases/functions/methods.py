# Methods, inheritance, super, class and static methods, properties and __call__ making calls.
# file: work.py
def area(w, h):
    return w * h


def join(*parts):
    return "/".join(map(str, parts))
# file: main.py
import work


class Shape:
    made = 0

    def __init__(self, name):
        Shape.made += 1
        self.name = work.join(name, Shape.made)

    def area(self):
        return 0

    def describe(self):
        return work.join(self.name, self.area(), self.label)

    @property
    def label(self):
        return work.join(type(self).__name__, self.made)


class Rect(Shape):
    def __init__(self, w, h):
        super().__init__("rect")
        self.w, self.h = w, h

    def area(self):
        self.w += 1
        return work.area(self.w, self.h)

    @classmethod
    def square(cls, n):
        return cls(n, work.area(n, 1))

    @staticmethod
    def unit():
        return work.area(1, 1)

    def __call__(self, k):
        return [work.area(self.w, k + i) for i in range(3)]


shapes = [Rect(2, 3), Shape("dot"), Rect.square(4)]
for shape in shapes + shapes[:1]:
    print(shape.describe(), shape.area())
print(Rect.unit(), shapes[0](2), Rect.describe(shapes[2]), sum(s.area() for s in shapes))
