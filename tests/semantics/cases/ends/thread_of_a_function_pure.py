# The same of functions that are declared pure.
# told: 1
# file: work.py
import threading
import time


def upload(name):
    def go():
        time.sleep(0.2)
        print("sent", name)
        with open(f"sent_{name}.txt", "w") as file:
            file.write(name)

    threading.Thread(target=go).start()
    return f"queued {name}"
# file: main.py
import atexit

from work import upload

atexit.register(print, "at exit")
print(upload("a"))
print("end")
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
