# A module that keeps a file open and registers an exit function: both come to their end.
# file: cord.toml
[remote.work]
# file: work.py
import atexit
import json

log = open("log.txt", "w")
count = 0


def note(x):
    global count
    count += 1
    log.write(f"{x}\n")
    return count


@atexit.register
def save():
    with open("state.json", "w") as file:
        json.dump({"count": count}, file)


# file: main.py
import work

for i in range(5):
    print(work.note(i))
