# What functions leave in libraries, and what the program changes there, keeps calls in the program.
# file: work.py
import calendar
import logging


def named(x):
    logging.addLevelName(x + 30, "MORE")
    return x


def week(x):
    return calendar.weekheader(2), x


def plain(x):
    return x + 1
# file: main.py
import calendar

import work

calendar.setfirstweekday(6)
for x in range(6):
    print(work.named(x))  # in place
    print(work.week(x))  # in place
    print(work.plain(x))  # ahead
