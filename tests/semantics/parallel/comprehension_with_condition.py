# A nested comprehension with a condition on data at hand.
# overlap: 3
# file: main.py
import work

print([(a, b, work.nap(a, b)) for a in range(8) for b in range(a) if (a + b) % 3])
