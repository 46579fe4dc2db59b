# Many small calls, to see queues, batches and bounds at work.
# file: work.py
def f(x):
    return x * 3 + 1


def check(x):
    if x == 2222:
        raise OverflowError(x)
    return x
# file: main.py
import work

print(sum(work.f(i) for i in range(3000)))
total = 0
for i in range(1500):
    total += work.f(i) % 7
print(total, len({work.f(i % 50) for i in range(500)}))
try:
    for i in range(3000):
        work.check(i)
except OverflowError as error:
    print(i, error)
