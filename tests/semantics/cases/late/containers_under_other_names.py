# Local work changes a list that it has found in another one; the call raises.
# file: work.py
import time


def step(x):
    time.sleep(0.003)
    return x + 1
# file: main.py
import work
def local(n): return sum(i*i for i in range(n))
def main(x):
    rows=[[1],[2]]
    vals=[0]
    try:
        r = work.step(x)
        row = rows[0]
        row.append(local(50))
        vals.append(3)
        vals = []
        vals.append(local(9))
        print(r, rows, vals)
    except TypeError as e:
        print(rows, vals)
main(1)
main("a")
