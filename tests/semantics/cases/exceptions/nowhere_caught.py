# A remote exception that nobody catches ends the program, after its partial output.
# file: work.py
import time


def check(n):
    time.sleep((7 - n) / 1000 if n < 7 else 0)
    if n == 4:
        raise KeyError("four")
    if n == 2:
        return None
    return n
# file: main.py
import work

with open("out.txt", "w") as out:
    for n in range(8):
        print(n)
        value = work.check(n)
        out.write(f"{n} {value}\n")
print("not reached")
