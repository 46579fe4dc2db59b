# Threads with settings of their own make calls in turn, and the state of a module changes between these.
# file: work.py
import decimal
import time

TABLE = []


def f(x):
    time.sleep(0.002)
    return list(TABLE), str(decimal.Decimal(1) / 7), x
# file: main.py
import decimal
import threading

import work

turns = [threading.Semaphore(0), threading.Semaphore(0)]


def run(number):
    decimal.getcontext().prec = 5 + number
    for n in range(4):
        turns[number].acquire()
        if number or n > 2:
            work.TABLE.append((number, n))
        print(number, work.f(n))
        turns[1 - number].release()


threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
for thread in threads:
    thread.start()
turns[0].release()
for thread in threads:
    thread.join()
