# The same in module-level code and inside one expression.
# overlap: 3
# file: main.py
import work

a = work.nap(1)
b = work.nap(2)
c = work.nap(3)
d = work.nap(4)
e = work.nap(5)
f = work.nap(6)
g = work.nap(7)
print(a, b, c, d, e, f, g)
print(work.nap(1, 2) + work.nap(3, 4) * work.nap(5, 6) - work.nap(7, 8) + work.nap(9, 10))
