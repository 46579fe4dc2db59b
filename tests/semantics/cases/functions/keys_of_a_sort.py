# Sorting by remote keys is stable, in both directions, and notices changes.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from work import nap

words = ["bb", "a", "cc", "d", "eee", "ff", ""]
print(sorted(words, key=lambda w: nap(len(w))), sorted(words, key=lambda w: nap(len(w)), reverse=True))
print(max(words, key=lambda w: nap(len(w)) % 2), min(words, key=lambda w: nap(len(w)) % 2))
print([nap(len(w)) for w in sorted(words, key=len)], [nap(len(w)) for w in sorted(words, key=lambda w: -len(w))])
for word in sorted(words, key=lambda w: len(w) % 2, reverse=True):
    print(word, nap(len(word)))
print(nap(max(range(5), key=lambda x: (x % 3, x))), nap(min(range(5), key=lambda x: x % 2 == 0)))


def changing(xs):
    def key(x):
        if x == 2:
            xs.append(100)
        return nap(x)

    return sorted(xs, key=key), xs


print(changing([3, 2, 1]))
table = {3: "c", 1: "a", 2: "b"}
print(sorted(table, key=nap), sorted(table.items(), key=lambda item: nap(item[0])))
table = {n: n for n in range(4)}
try:
    print(sorted(table, key=lambda n: table.pop(n) and nap(n)), table)
except RuntimeError as error:
    print(error)
xs = [3, 1, 2]
xs.sort(key=lambda x: print(xs) or nap(x))
print(xs)
