# The value decides the next argument: nothing can run ahead, and nothing may differ.
# file: work.py
def step(n):
    return n // 2 if n % 2 == 0 else 3 * n + 1
# file: main.py
import work


def length(n):
    count = 0
    while n != 1:
        n = work.step(n)
        count += 1
    return count


print([length(n) for n in (1, 2, 7, 9, 11)])
