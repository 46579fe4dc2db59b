# The same array is read and written: each call needs the one before it.
# file: work.py
def relax(left, right):
    return (left + right) / 2
# file: main.py
import work

u = [0.0, 5.0, 1.0, 7.0, 2.0, 10.0]
for sweep in range(4):
    for i in range(1, len(u) - 1):
        u[i] = work.relax(u[i - 1], u[i + 1])
    print([round(x, 6) for x in u])
