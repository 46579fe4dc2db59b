# A pure function that prints in its first call only.
# told: 1
# file: work.py
first = True


def f(x):
    global first
    t = sum(i % 7 for i in range(3000))
    if first:
        print("loading")
        first = False
    return x


# file: main.py
import work

for x in range(8):
    print(work.f(x))
