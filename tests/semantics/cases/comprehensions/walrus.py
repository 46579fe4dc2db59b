# Assignment expressions in conditions and comprehensions.
# file: work.py
def root(n):
    return int(n**0.5)
# file: main.py
import work

print([(n, r) for n in range(30) if (r := work.root(n)) * r == n])
print(r)
if (a := work.root(50)) > 6 and (b := work.root(a)) < 3:
    print(a, b)
print([last := work.root(n) for n in (4, 81)], last)


def walk(values):
    total = 0
    while values and (v := work.root(values.pop())) < 9:
        total += v
        print(v, total)
    return total, v


print(walk([400, 1, 64, 49, 30]))
