# Threads of functions that run in threads of one process.
# told: 1
# file: work.py
import threading
import time


def begin(number):
    def go():
        time.sleep(0.1 + number / 20)
        print("late", number)

    threading.Thread(target=go).start()
    return number
# file: main.py
import work

for number in range(4):
    print(work.begin(number))
print("end")
# file: cord.toml
[remote.work]
threads = 4
pure = true
