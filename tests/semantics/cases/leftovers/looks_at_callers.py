# Functions that look at who has called them.
# told: 3
# file: work.py
import inspect
import sys
import time


def who(x):
    time.sleep(0.002)
    return sys._getframe(1).f_code.co_name


def where(x):
    time.sleep(0.002)
    return inspect.stack()[1].function


def above(x):
    time.sleep(0.002)
    return inspect.currentframe().f_back.f_code.co_name


def own(x):
    time.sleep(0.002)
    return sys._getframe().f_code.co_name
# file: main.py
import work


for x in range(3):
    call = work.who(x), work.where(x), work.above(x), work.own(x)
    print(call)


def once(x):
    return_of = work.who(x)
    return return_of, work.where(x), work.above(x)


print(once(1))
