# Three nested loops with prints at every level and an accumulator reset in the middle one.
# file: work.py
def cell(x, y, z=0):
    return x * 100 + y * 10 + z
# file: main.py
import work

for x in range(3):
    print("x", x)
    for y in "ab":
        acc = ""
        for z in (1, 2):
            acc += str(work.cell(x, ord(y) - 96, z=z)) + ","
        print(" ", y, acc)
    print("done", x, acc)
