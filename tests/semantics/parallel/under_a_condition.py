# Calls under conditions on data that is at hand.
# overlap: 3
# file: main.py
import work

for i, kind in enumerate("aabbcacbaacbbcaabcab"):
    if kind == "a":
        print("a", work.nap(i))
    elif kind == "b":
        value = work.nap(i, 1)
        print("b", value)
    else:
        continue
