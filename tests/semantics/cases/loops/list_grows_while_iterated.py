# Breadth-first search: the list that is walked grows with the answers.
# file: work.py
GRAPH = {1: [2, 3], 2: [4], 3: [4, 5], 4: [6], 5: [6, 7], 6: [], 7: [1]}


def neighbours(node):
    return GRAPH[node]
# file: main.py
import work

order = [1]
for node in order:
    for other in work.neighbours(node):
        if other not in order:
            order.append(other)
            print(node, "->", other)
print(order)
