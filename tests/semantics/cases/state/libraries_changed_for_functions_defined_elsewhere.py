# What the program changes of a library, functions find that a remote module offers and another defines.
# file: inside.py
import calendar
import time


def week(x):
    time.sleep(0.002)
    return calendar.weekheader(2), x
# file: work.py
from inside import week
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
only = ["week"]
# file: main.py
import calendar

import work

calendar.setfirstweekday(6)
for number in range(6):
    print(work.week(number))
