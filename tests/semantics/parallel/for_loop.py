# A loop over data: the calls of later turns run beside the earlier ones.
# overlap: 4
# file: main.py
import work

total = 0
for i in range(20):
    total += work.nap(i)
    print(i, total)
