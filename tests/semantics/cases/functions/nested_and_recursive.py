# Nested functions, mutual recursion, memo in a dict, backtracking with undo.
# file: work.py
def free(queens, col):
    row = len(queens)
    return all(c != col and abs(c - col) != row - r for r, c in enumerate(queens))


def sub(n):
    return n - 1
# file: main.py
import work


def solve(n):
    queens, found = [], []

    def place(row):
        if row == n:
            found.append(tuple(queens))
            return
        for col in range(n):
            if work.free(queens, col):
                queens.append(col)
                place(row + 1)
                queens.pop()

    place(0)
    return found


def even(n):
    return True if n == 0 else odd(work.sub(n))


def odd(n):
    return False if n == 0 else even(work.sub(n))


memo = {}


def fib(n):
    if n not in memo:
        memo[n] = n if n < 2 else fib(work.sub(n)) + fib(work.sub(work.sub(n)))
    return memo[n]


print(solve(4), even(6), odd(6), fib(20), len(memo))
