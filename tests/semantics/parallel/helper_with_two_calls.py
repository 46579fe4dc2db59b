# A helper makes two calls that need each other: the turns overlap all the same.
# overlap: 3
# file: main.py
import work


def pair(x):
    first = work.nap(x)
    return work.nap(first, x)


for i in range(14):
    print(pair(i))
