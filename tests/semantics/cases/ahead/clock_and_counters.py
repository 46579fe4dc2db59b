# Arguments from a counter, an iterator, a stack and a file position: taken once for each call.
# file: data.txt
one
two
three
four
# file: work.py
def f(*x):
    return x
# file: main.py
import itertools

import work

ids, stack = itertools.count(10), list("zyxwvu")
with open("data.txt") as data:
    for turn in range(4):
        print(work.f(next(ids), stack.pop(), data.readline()), work.f(len(stack)))
        if turn == 1:
            print("skipped", next(ids), data.readline())
print(next(ids), stack)
queue = [(3, "c"), (1, "a"), (2, "b")]
while queue:
    queue.sort()
    n, name = queue.pop(0)
    print(work.f(n, name))
    if n < 3:
        queue.append((n + 3, name * 2))
