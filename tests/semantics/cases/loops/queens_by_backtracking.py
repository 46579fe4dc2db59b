# Backtracking by generators and by a list that grows and shrinks.
# file: work.py
def safe(queens, row, col): return all(c != col and abs(c - col) != row - r for r, c in enumerate(queens))
# file: main.py
from work import safe
def solve(n, queens=()):
    if len(queens) == n:
        yield queens
        return
    for col in range(n):
        if safe(queens, len(queens), col):
            yield from solve(n, queens + (col,))
first = next(solve(6))
print(first, sum(1 for _ in solve(5)))
def place(n, acc, out, limit=3):
    if len(acc) == n: out.append(acc[:]); return len(out) >= limit
    for c in range(n):
        if not safe(acc, len(acc), c): continue
        acc.append(c)
        if place(n, acc, out, limit): return True
        acc.pop()
    return False
out, acc = [], []
print(place(6, acc, out), out, acc)
