# Past the break the arguments could not even be computed; nobody may notice.
# file: work.py
def f(x):
    return x
# file: main.py
import work

names = ["a", "b", "c"]
table = {0: 1, 1: 1, 2: 1}
for i in range(100):
    r = work.f(6 // (3 - i))
    s = work.f(names[i])
    t = work.f(table[i])
    print(i, r, s, t)
    if s == "c":
        break
i = 0
while True:
    if work.f(names[i]) == "b":
        break
    i += 1
print(i)
