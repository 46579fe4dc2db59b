# A call that raises in the middle, caught in its turn: the others still overlap.
# overlap: 3
# file: main.py
import work

good = bad = 0
for i in range(18):
    try:
        good += work.picky(i)
    except ValueError as error:
        bad += 1
        print("bad", error)
print(good, bad)
