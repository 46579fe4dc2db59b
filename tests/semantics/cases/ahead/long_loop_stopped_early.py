# A very long loop of which only the start runs; nothing may be computed or kept for the rest.
# file: work.py
def f(x):
    return x % 1000
# file: main.py
import work

for i in range(10**12):
    if work.f(i) == 30:
        break
print(i)
print(next(i for i in range(5, 10**12) if work.f(i) == 1))
for a in range(10**9):
    for b in range(10**9):
        if work.f(a * 10 + b) == 12:
            break
    else:
        continue
    print(a, b)
    break
