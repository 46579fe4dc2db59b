# The argument changes through vars(), setattr, __dict__, a bound method and a sorted-in-place list.
# file: models.py
class Node:
    def __init__(self, name):
        self.name = name
        self.tags = []
# file: work.py
def show(node):
    return node.name, list(node.tags), sorted(vars(node))
# file: main.py
import work
from models import Node

node = Node("n")
same = {"it": [node]}
add = node.tags.append
for i in range(9):
    print(work.show(node))
    if i == 0:
        vars(node)["name"] = "vars"
    elif i == 1:
        setattr(node, "name", "setattr")
    elif i == 2:
        node.__dict__.update(extra=1)
    elif i == 3:
        add(5)
    elif i == 4:
        same["it"][0].tags += [3, 4]
    elif i == 5:
        node.tags.sort()
    elif i == 6:
        del node.extra
    elif i == 7:
        node.tags, old = [], node.tags
        old.append("not seen")
