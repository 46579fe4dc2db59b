# A remote function is mapped: into a list, in a loop, over two lists, kept first.
# overlap: 3
# file: main.py
import work
from work import nap


def main(n):
    print(list(map(work.nap, range(n))))
    for value in map(nap, range(n)):
        print(value)
    print(sum(map(nap, range(n), [3] * n)), *map(nap, range(n)))
    kept = map(nap, (n - i for i in range(n)), range(n))
    later = map(nap, range(n))
    for i, value in enumerate(later):
        print(i, value)
    print(list(kept))


main(8)
print(",".join(map(str, map(nap, range(8)))))
