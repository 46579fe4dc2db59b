# The same in module-level code and inside one expression.
# overlap: 3
# file: main.py
import work

a = work.nap(1)
b = work.nap(2)
c = work.nap(3)
d = work.nap(4)
print(a, b, c, d)
print(work.nap(5) + work.nap(6) * work.nap(7) - work.nap(8))
