# Pure modules with one replica each call one another while scouts of both are ahead.
# file: cord.toml
[remote.left]
replicas = 1
callstyle = "async"
pure = true

[remote.right]
replicas = 1
callstyle = "async"
pure = true
# file: left.py
import right


def fib(n):
    return n if n < 2 else right.fib(n - 1) + right.fib(n - 2)


def name(x):
    return f"L{x}"
# file: right.py
import left


def fib(n):
    return n if n < 2 else left.fib(n - 1) + left.fib(n - 2)


def name(x):
    return left.name(x) + "R"
# file: main.py
import left
import right

total = 0
for n in range(8):
    total += left.fib(n) * right.fib(n)
    print(n, total, left.name(n), right.name(n))
print([right.fib(n) - left.fib(n) for n in range(6)])
