# Replicas of several threads start one when there is a call for it; a call may have threads of its own.
# file: cord.toml
[remote.work]
threads = 4
pure = true
# file: work.py
import threading
import time


def total(number):
    parts = [0, 0]

    def count(at):
        time.sleep(0.003)
        parts[at] = number + at

    threads = [threading.Thread(target=count, args=(at,)) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(parts)
# file: main.py
from work import total

for number in range(24):
    print(number, total(number))
