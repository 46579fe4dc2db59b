# Class bodies, metaclasses, descriptors and __init_subclass__ that make calls.
# file: work.py
def name(x):
    return f"n_{x}"


def double(x):
    return x * 2
# file: main.py
import work


class Meta(type):
    def __new__(mcls, cls_name, bases, space):
        space["tag"] = work.name(cls_name)
        return super().__new__(mcls, cls_name, bases, space)


class Field:
    def __set_name__(self, owner, name):
        self.name = work.name(name)

    def __get__(self, obj, owner=None):
        return work.double(obj.__dict__.get(self.name, 1))

    def __set__(self, obj, value):
        obj.__dict__[self.name] = value


class Base(metaclass=Meta):
    registry = []
    for i in range(3):
        registry.append(work.double(i))

    def __init_subclass__(cls, **kw):
        cls.registry = [*cls.registry, work.name(cls.__name__)]


class Child(Base):
    a = Field()
    b = Field()
    total = sum(work.double(i) for i in range(4))


child = Child()
child.a = 5
child.a += child.b
print(Base.registry, Base.i, Child.registry, Child.tag, Child.total, child.a, vars(child))
