# What a function of the main script, passed as an argument, gives of the script's globals is the program's own.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
def call(function):
    return function()


def keep(function, value):
    return [function, value]
# file: main.py
import work

WORDS = [1, 2]
TABLE = {"a": [3]}


class Box:
    pass


BOX = Box()


def words():
    return WORDS


def parts():
    return [TABLE["a"], BOX]


def fresh():
    return [1, 2]


for _ in range(4):
    print(work.call(words) is WORDS, work.call(fresh), work.keep(words, 3)[0] is words)
    row, box = work.call(parts)
    print(row is TABLE["a"], box is BOX)
