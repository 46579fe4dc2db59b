# Rebinding a remote function of the main script, or wrapping it, makes it the program's own.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["square", "cube", "plain"]
# file: main.py
import inspect


def shout(function):
    def inner(x):
        return f"{function(x)}!"

    return inner


def square(x):
    "The square."
    return x * x


def cube(x: int) -> int:
    return square(x) * x


@shout
def plain(x):
    return -x


print([square(x) for x in range(4)], [cube(x) for x in range(4)], plain(3))
print(inspect.signature(cube), square.__doc__, square.__module__, callable(square))
print(inspect.getsource(square).splitlines()[0], inspect.isfunction(square))
real = square
square = abs
print([square(x) for x in range(-2, 2)], real(5))
print([cube(x) for x in range(-2, 2)])
square = real
print([cube(x) for x in range(-2, 2)], {square: "key"}[real])
