# Classes that a module makes while the program runs, and whose metaclass says how: replicas have none.
# file: cord.toml
[remote.work]
callstyle = "async"
pure = true
replicas = 2
inline = false
[remote.undeclared]
[remote.costly]
callstyle = "sync"
inline = false
# file: shapes.py
import colorsys
import copyreg

made = []


class Maker(type):
    def __new__(cls, name, base, more):
        return super().__new__(cls, name, (base,), more)

    def __init__(cls, name, base, more):
        super().__init__(name, (base,), more)
        cls.how = name, base, more

    def __reduce__(cls):
        return make, cls.how


def make(name, base, more):
    made.append(name)
    cls = Maker(name, base, {"__module__": "colorsys", **more})  # as one of a library is
    setattr(colorsys, name, cls)
    globals()[name] = cls


copyreg.pickle(Maker, Maker.__reduce__)


class Fitness:
    weight = 1

    def __init__(self):
        self.value = self.weight
# file: work.py
def worth(thing):
    return sum(thing) * thing.weight


def same(thing):
    return thing


def kind(thing):
    return type(thing)
# file: undeclared.py
def grown(thing):
    thing.append(sum(thing) * thing.weight)
    return thing, type(thing)
# file: costly.py
import time


def price(thing):
    time.sleep(0.01)
    return sum(thing) + 1
# file: main.py
import costly
import shapes
import undeclared
import work

shapes.make("Weighted", shapes.Fitness, {"weight": 2})
shapes.make("Genes", list, {"weight": 3, "fitness": shapes.Weighted()})
first = shapes.Genes
for number in range(4):
    genes = shapes.Genes([number, number])
    print(work.worth(genes), type(work.same(genes)) is first, work.kind(genes) is first)
    same, kind = undeclared.grown(genes)
    print(same is genes, kind is first, genes, genes.fitness.value)
print([work.worth(shapes.Genes([number])) for number in range(6)])
print([costly.price(shapes.Genes([number])) for number in range(6)])
first.weight = 5
print([work.worth(shapes.Genes([number])) for number in range(6)])
shapes.make("Genes", list, {"weight": 7})
for cls in (first, shapes.Genes):
    print(work.worth(cls([1])), work.kind(cls([1])) is cls, undeclared.grown(cls([1]))[1] is cls)
print(shapes.made, shapes.Genes is first)
