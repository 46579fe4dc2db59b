# A thread that is a daemon ends with the program, wherever it is.
# file: work.py
import threading
import time


def begin(name):
    def go():
        time.sleep(30)
        print("never", name)

    threading.Thread(target=go, daemon=True).start()
    return name
# file: main.py
import work

print(work.begin("a"))
# file: cord.toml
[remote.work]
