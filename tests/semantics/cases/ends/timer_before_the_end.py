# Threads that end while the program runs: what they have done is there, and printed by the end.
# file: work.py
import threading
import time

done = []


def begin(name):
    threading.Timer(0.05, lambda: done.append(name)).start()
    return name


def seen():
    time.sleep(0.2)
    return done
# file: main.py
import work

print(work.begin("a"))
print(work.seen())
raise SystemExit(3)
# file: cord.toml
[remote.work]
