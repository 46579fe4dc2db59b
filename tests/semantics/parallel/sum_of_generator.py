# A generator expression consumed by sum.
# overlap: 4
# file: main.py
import work

print(sum(work.nap(i) for i in range(20)))
