# A result is changed and passed on; the next result is merged into it.
# file: work.py
def extend(path, n):
    return path + [n]


def best(paths):
    return max(paths, key=lambda p: (sum(p), p))
# file: main.py
import work

beam = [[0]]
for n in range(1, 6):
    grown = []
    for path in beam:
        longer = work.extend(path, n)
        longer[0] += 1
        grown.append(longer)
        grown.append(work.extend(longer, -n))
    top = work.best(grown)
    grown.remove(top)
    beam = [top, work.best(grown)]
    print(n, beam)
