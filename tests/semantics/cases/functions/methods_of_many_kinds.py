# Methods with calls inside: inherited, overridden on the object, properties, class and static ones, stored.
# file: work.py
def f(x):
    return x
# file: main.py
import work


class Node:
    made = 0

    def __init__(self, value, kids=()):
        self.value = value
        self.kids = list(kids)
        Node.made += 1

    def total(self):
        total = work.f(self.value)
        for kid in self.kids:
            total += kid.total()
        return total

    @property
    def double(self):
        return work.f(self.value) * 2

    @classmethod
    def make(cls, value):
        return cls(work.f(value))

    @staticmethod
    def plain(value):
        return work.f(value)


class Loud(Node):
    def total(self):
        print("total of", self.value)
        return super().total() + 1


tree = Node(1, [Loud(i, [Node(i * j) for j in range(3)]) for i in range(3)])
print(tree.total(), tree.double, Node.make(4).value, Node.plain(5), Node.made)
tree.total = lambda: work.f(-1)
print([node.total() for node in [tree, *tree.kids]])
totals = [kid.total for kid in tree.kids]
print([total() for total in totals])
for kid in tree.kids:
    kid.value += kid.total()
    print(kid.value)
