# Two calls in each turn; the second needs the first.
# file: work.py
import time


def parse(text):
    time.sleep(0.001)
    return [int(part) for part in text.split()]


def total(numbers):
    return sum(numbers)
# file: main.py
import work

lines = ["1 2 3", "4 5", "", "6", "7 8 9 10"]
for line in lines:
    numbers = work.parse(line)
    print(line, "=", work.total(numbers))
print([work.total(work.parse(line)) for line in lines])
