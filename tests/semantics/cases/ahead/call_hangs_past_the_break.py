# A call past the break that never comes back must not hold the program up.
# file: work.py
import time


def f(x):
    if x > 4:
        time.sleep(600)
    return x
# file: main.py
import work

for turn in range(3):
    for x in range(100):
        value = work.f(x)
        print(turn, value)
        if value == 4:
            break
print([work.f(x) for x in range(5)])
