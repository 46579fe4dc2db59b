# The plainest loop: one call for each number, the results summed in order.
# file: work.py
import time


def square(x):
    time.sleep(x * 7 % 5 / 1000)
    return x * x
# file: main.py
import work

total = 0
for i in range(20):
    total += work.square(i)
    print(i, total)
print(total)
