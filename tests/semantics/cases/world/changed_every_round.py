# Tickets that were issued under other settings are not used, however often these change.
# file: work.py
import os
import time


def look(i):
    time.sleep(0.001)
    return i, os.environ.get("ROUND"), os.getcwd()[-7:] if "folder" in os.getcwd() else ""
# file: main.py
import os
import threading

import work

for i in range(30):
    os.environ["ROUND"] = str(i)
    print(work.look(i))
for i in range(10):
    os.makedirs(f"folder{i}")
    os.chdir(f"folder{i}")
    print(work.look(i))
    os.chdir("..")
print([work.look(i) for i in range(20)][-1])


def other():
    os.environ["ROUND"] = "other"


for i in range(12):
    if i == 6:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    print(work.look(i))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
