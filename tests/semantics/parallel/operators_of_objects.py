# Operators, subscripts and comparisons of the program's classes make the calls.
# overlap: 4
# file: main.py
import work


class Vector:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        if isinstance(other, int):
            return work.nap(self.x, other)
        return Vector(work.nap(self.x, other.x))

    def __rsub__(self, other):
        return work.nap(other, self.x)

    def __neg__(self):
        return work.nap(self.x, 9)

    def __lt__(self, other):
        return work.nap(self.x) < work.nap(other.x)

    def __eq__(self, other):
        return work.nap(self.x) == work.nap(other.x, 1)


class Table:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, key):
        return work.nap(self.rows[key], 4)

    def __contains__(self, key):
        return work.nap(key, 2) % 3 == 1


table = Table([n * n for n in range(9)])
vectors = [Vector(n) for n in range(8)]
for index, vector in enumerate(vectors):
    print(vector + 1, 3 - vector, -vector, table[index])
print([table[n] for n in range(8)], [(vector + vectors[0]).x for vector in vectors])
for n in range(8):
    print(n in table, n not in table, vectors[n] < vectors[7 - n], vectors[n] != vectors[0])


def best(vectors):
    return [one.x for one in vectors if one < vectors[4]]


print(best(vectors))
