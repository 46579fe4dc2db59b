# Recursion close to the limit of the interpreter, and beyond it.
# file: work.py
def f(x):
    return x + 1
# file: main.py
import work


def down(n):
    if n == 0:
        return work.f(0)
    return work.f(down(n - 1))


def endless(n):
    work.f(n) if n % 50 == 0 else None
    return endless(n + 1)


print(down(300), down(900))
try:
    endless(1)
except RecursionError:
    print("too deep")
print(work.f(1))
