# What a pure function changes in an attribute of a date or number of the project's own class is seen.
# told: 1
# file: work.py
import datetime
import decimal
import fractions
import pathlib


class Day(datetime.date):
    pass


class Moment(datetime.datetime):
    pass


class Span(datetime.timedelta):
    pass


class Part(fractions.Fraction):
    pass


class Price(decimal.Decimal):
    pass


class Place(type(pathlib.Path())):
    pass


def add(thing):
    thing.log.append(len(thing.log))
    return str(thing)
# file: main.py
import work

days = [
    work.Day(2020, 1, 2),
    work.Moment(2020, 1, 2, 3),
    work.Span(days=2),
    work.Part(1, 2),
    work.Price("1.5"),
    work.Place("a/b"),
]
for thing in days:
    thing.log = []
    for _ in range(3):
        print(work.add(thing), thing.log)
