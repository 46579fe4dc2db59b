# The call is the test of the loop, so each turn needs the answer.
# file: work.py
def more(n):
    return n * n < 200


def shrink(n):
    return n - 3
# file: main.py
import work

n = 0
while work.more(n):
    print("going on at", n)
    n += 2
print("stopped at", n)

n = 50
while (n := work.shrink(n)) > 10:
    print(n, end=" ")
print()
while not work.more(n) or n > 8:
    n = work.shrink(n)
else:
    print("else", n)
