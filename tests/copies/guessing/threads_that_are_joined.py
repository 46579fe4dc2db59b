# A library checks each reply in a thread, with a time limit; each thread has variables of its own.
# overlap: 4
# file: lib/checks.py
import threading


OWN = threading.local()
OWN.name = "first"


def checked(value, limit):
    found = []

    def check():
        name = getattr(OWN, "name", threading.current_thread().name)
        OWN.name = "other"
        found.append((value * 2, name))

    thread = threading.Thread(target=check, name="check")
    thread.start()
    thread.join(limit)
    if thread.is_alive():
        raise TimeoutError
    return *found[0], OWN.name


def each(function, items):
    return [checked(function(item), 5) for item in items]
# file: main.py
import sys

sys.path.append("lib")
import checks
import work

print(checks.each(work.nap, range(40)))
