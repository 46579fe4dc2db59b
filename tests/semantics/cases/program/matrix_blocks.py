# Block matrix product: arguments are slices built for each call, results are added up.
# file: work.py
def multiply(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
# file: main.py
import work

N, B = 6, 2
A = [[(i * 3 + j) % 7 for j in range(N)] for i in range(N)]
C = [[0] * N for _ in range(N)]


def block(m, i, j):
    return [row[j : j + B] for row in m[i : i + B]]


for i in range(0, N, B):
    for j in range(0, N, B):
        for k in range(0, N, B):
            part = work.multiply(block(A, i, k), block(A, k, j))
            for di, row in enumerate(part):
                for dj, value in enumerate(row):
                    C[i + di][j + dj] += value
    print(C[i])
print(C)
