# A pure function that calls what it is given, which changes a list of the program's.
# told: 1
# file: work.py
def f(g, x):
    t = sum(i % 7 for i in range(3000))
    g(x)
    return x


# file: main.py
import work


def run():
    mine = []
    for i in range(5):
        print(work.f(lambda x: mine.append(x), i))
    print(mine)


run()
