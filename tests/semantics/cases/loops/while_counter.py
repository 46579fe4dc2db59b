# A while loop with a counter that the body changes in two places.
# file: work.py
def half(n):
    return n // 2


def odd(n):
    return n % 2 == 1
# file: main.py
import work

n = 0
steps = 0
while n < 40:
    n += 1
    if n % 7 == 0:
        n += 3
        continue
    steps += work.half(n)
else:
    print("ran out at", n)
print(n, steps)
