# Jacobi sweeps: two grids, a swap, and a test for convergence that needs every result.
# file: work.py
def relax(left, here, right):
    return (left + 2 * here + right) / 4
# file: main.py
import work

old = [0.0, 0.0, 8.0, 0.0, 0.0, 1.0]
new = old[:]
for sweep in range(12):
    for i in range(1, len(old) - 1):
        new[i] = work.relax(old[i - 1], old[i], old[i + 1])
    change = max(abs(a - b) for a, b in zip(old, new))
    old, new = new, old
    print(sweep, repr(change), old)
    if change < 0.3:
        break
