# Remote functions of the main script that call one another, made in the program.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["fib", "even", "odd"]
# file: main.py
SCALE = 3


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return SCALE > 5 if n == 0 else even(n - 1)


print([fib(n % 12) for n in range(200)][-12:])
print([even(n % 20) for n in range(200)].count(True))
SCALE = 7
print([odd(n % 20) for n in range(200)].count(True))
