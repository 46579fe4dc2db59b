# The end is the same when the program ends by an exception.
# file: work.py
import threading
import time


def begin(name):
    def go():
        time.sleep(0.2)
        print("late", name)

    threading.Thread(target=go).start()
    return name
# file: main.py
import work

print(work.begin("a"))
raise ValueError("end")
# file: cord.toml
[remote.work]
