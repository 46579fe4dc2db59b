# Calls with local work behind them, which may go on beside them or not.
# file: main.py
import work


def quiet(n):
    return sum(i * i for i in range(n))


def noisy(n):
    for i in range(n):
        print(i)
    return n


def run(n):
    for k in range(n):
        print(k)
        y = quiet(k)
        r = work.f(k)  # ahead
        y += quiet(k)
        if r % 2:
            print(y)
            r = 0
            work.f(y)  # waits
            y = quiet(3)
        print(r + y)


def others(n):
    r = work.f(n)  # ahead
    y = noisy(n)
    print(r, y)
    r = work.f(n)  # ahead
    print(r)


run(3)  # in place
others(1)  # ahead
