# A remote module calls another one when it is imported, which calls it back.
# file: cord.toml
[remote.inner]
replicas = 1
pure = true

[remote.outer]
replicas = 1
pure = true
# file: inner.py
def twice(n):
    return 2 * n


def through(n):
    import outer

    return outer.half(n) + 1
# file: outer.py
import inner


def half(n):
    return n // 2


FOUR = inner.twice(2)
THREE = inner.through(FOUR)


def sizes():
    return FOUR, THREE
# file: main.py
import outer

print(outer.sizes(), outer.FOUR, outer.THREE)
