# A pure function that binds names of its module by computed names.
# told: 1
# file: work.py
def f(x):
    t = sum(i % 7 for i in range(3000))
    globals()["k%d" % x] = x
    return x


# file: main.py
import work

for x in range(8):
    print(work.f(x))
print(work.k3)
