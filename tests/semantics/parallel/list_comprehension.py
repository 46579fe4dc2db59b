# A list comprehension is a loop.
# overlap: 4
# file: main.py
import work

print([work.nap(i) for i in range(20)])
