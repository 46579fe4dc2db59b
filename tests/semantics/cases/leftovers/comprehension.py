# A pure function that counts its calls, called in comprehensions.
# told: 1
# file: work.py
n = 0


def f(x):
    global n
    t = sum(i % 7 for i in range(3000))
    n += 1
    return n


# file: main.py
import work

print(sum(work.f(x) for x in range(12)), [work.f(x) for x in range(5)], work.n)
