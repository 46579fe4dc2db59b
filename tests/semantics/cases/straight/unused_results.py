# Calls whose results nobody uses still raise, and still print.
# file: work.py
def check(n):
    print("checking", n)
    if n == 3:
        raise ValueError(f"{n} is bad")
# file: main.py
import work

work.check(0)
print("between")
for n in range(1, 10):
    work.check(n)
    print("passed", n)
print("never")
