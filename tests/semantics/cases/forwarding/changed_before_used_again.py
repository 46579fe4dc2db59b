# What a call that is not declared pure changes of a passed value, the next call sees.
# file: cord.toml
[remote.first]
[remote.second]
independent = true


# file: first.py
def make(number):
    return [number] * 3


def changed(rows, extra):
    rows.append(extra)


def popped(rows):
    return rows.pop() if rows else None


# file: second.py
def sent(rows):
    rows.append("sent")
    print(rows)


# file: main.py
from first import changed, make, popped
from second import sent

rows = make(3)
changed(rows, 1)
sent(rows)


def loop(numbers):
    for number in numbers:
        made = make(number)
        changed(extra=number, rows=made)
        sent(made)
    made = make(7)
    for _ in numbers:
        sent(made)


def conditional(numbers):
    for number in numbers:
        if number % 2 == 0:
            made = make(number)
        sent(made)


def emptied():
    made = make(5)
    while popped(made):
        print("one")


loop([1, 2])
conditional([0, 1, 2, 3])
emptied()
once = make(9)
sent(once)
sent(make(8))
