# The same call several times: each gives an object of its own.
# file: work.py
def fresh(n):
    return [n]
# file: main.py
import work

a = work.fresh(1)
b = work.fresh(1)
a.append("mine")
c = work.fresh(1)
print(a, b, c, a is b, b is c)
rows = [work.fresh(0) for _ in range(4)]
rows[0].append(9)
rows[2][0] = 5
print(rows)
for _ in range(3):
    r = work.fresh(2)
    r.append(len(r))
    print(r)
