# What undeclared functions return of dates and exceptions of the project's own classes has all its attributes, and is
# the program's own where it was an argument.
# file: cord.toml
[remote.work]
# file: work.py
import datetime


class Day(datetime.date):
    pass


class Odd(Exception):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def __reduce__(self):
        return Odd, (self.args[0], self.b)


def made(number, row):
    day = Day(2020, 1, number)
    day.notes = [number, row]
    return day, row


def told(row):
    day = Day(2020, 1, 1)
    day.notes = row
    row.append(1)
    return day


def mark(error, x):
    error.seen = x
    error.args = (x,)
    return error


def note(error):
    error.add_note("later")
    return 3


def wrap(error):
    return [error, KeyError(error)]
# file: main.py
import work

row = [5]
day, same = work.made(3, row)
print(day.notes, same is row, day.notes[1] is row)
print(work.told(row).notes is row, row)
error = ValueError("a", [1])
print(work.mark(error, 8) is error, error.seen, error.args)
print(work.note(error), error.__notes__)
odd = work.Odd("a", "b")
print(work.mark(odd, 4) is odd, odd.args, odd.b, odd.seen, type(odd))
first, second = work.wrap(odd)
print(first is odd, second.args[0] is odd)
missing = FileNotFoundError(2, "no", "here")
print(work.mark(missing, 1) is missing, missing.filename, missing.args, vars(missing))
