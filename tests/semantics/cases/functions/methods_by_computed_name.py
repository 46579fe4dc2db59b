# A visitor finds its methods by names that it computes.
# file: work.py
def f(x):
    return (x * 7 + 3) % 10
# file: main.py
from work import f
class Node:
    def __init__(self, kind, *children):
        self.kind, self.children = kind, children
class Visitor:
    def visit(self, node):
        return getattr(self, "visit_" + node.kind)(node)
    def visit_leaf(self, node):
        return f(node.children[0])
    def visit_add(self, node):
        return sum(self.visit(c) for c in node.children)
leaf = lambda n: Node("leaf", n)
tree = Node("add", leaf(1), Node("add", leaf(2), leaf(3)), leaf(4))
print(Visitor().visit(tree))
for n in range(4):
    print(Visitor().visit(leaf(n)))
