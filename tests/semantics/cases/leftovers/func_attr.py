# A pure function that counts in an attribute of its own.
# told: 1
# file: work.py
def f(x):
    t = sum(i % 7 for i in range(3000))
    f.calls += 1
    return f.calls


f.calls = 0
# file: main.py
import work

for x in range(8):
    print(work.f(x))
print(work.f.calls)
