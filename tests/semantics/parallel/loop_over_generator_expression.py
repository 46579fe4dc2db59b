# A loop over a generator expression.
# overlap: 4
# file: main.py
import work

for value in (work.nap(i) for i in range(24)):
    print(value)
