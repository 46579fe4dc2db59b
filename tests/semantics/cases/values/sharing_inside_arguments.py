# What was one object inside the arguments stays one object; equal ones stay two.
# file: work.py
def same(a, b):
    return a is b


def distinct(items):
    return len({id(item) for item in items})


def depth(x):
    n = 0
    while x and n < 50:
        x, n = x[0], n + 1
    return n
# file: main.py
import work

a = [1, 2]
print(work.same(a, a), work.same(a, list(a)), work.same(a, [1, 2]), work.same(b=a, a=a))
rows = [[0]] * 3
for i in range(4):
    print(work.distinct(rows), rows)
    rows[i % 3] = list(rows[i % 3])
print(work.distinct([rows, rows, [rows]]), work.same((a, a)[0], (a,)[0]))
loop = []
loop.append(loop)
print(work.depth(loop), work.depth([[[]]]))
