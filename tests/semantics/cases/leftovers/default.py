# A pure function that keeps what it is given in a mutable default: the program sees that.
# told: 1
# file: work.py
def f(x, seen=[]):
    t = sum(i % 7 for i in range(3000))
    seen.append(x)
    return len(seen)


# file: main.py
import work

for x in range(8):
    print(work.f(x))
print(work.f.__defaults__)
