# Each turn calls, computes on the result, and calls again with data at hand.
# overlap: 3
# file: main.py
import work


def summary(values):
    return sum(v * v for v in values) % 97


history = []
for i in range(12):
    history.append(work.nap(i))
    middle = summary(history)
    extra = work.nap(i, 1)
    print(i, middle, extra - middle)
