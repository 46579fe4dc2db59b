# Calls with effects in loops of all kinds: each is made once.
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
independent = true
# file: work.py
import os
import time


def send(name, *more):
    with open(f"to_{name}", "a") as mail:  # one line for each time
        mail.write(f"{more}\n")
    time.sleep(0.003)
    return name


def fail(name):
    send(name)
    raise ValueError(name)


# file: main.py
from work import send

done, by_name = [], {}
for number in range(6):
    done.append(send(number))
for number, name in enumerate(["a", "b", "c", "d"]):
    if number == 1:
        continue
    by_name[name] = send(name, number)
print(done, by_name)
squares = [send(f"s{x}", {"square": x * x, "text": "some text"}) for x in range(5) if x != 3]
print(squares)
for x in "pq":
    for y, z in zip([1, 2], [3, 4]):
        send(f"{x}{y}", [x, y, z])
left = ["u", "v", "w"]
at = 0
while at < len(left):
    send(left[at])
    at = at + 1


def all_of(names, sent):
    for name in names:
        try:
            sent.append(send(name))
        except OSError:
            print("no")
    return sent


print(all_of(["k", "l", "m", "k", "k"], []))
print(all_of({"n": 1, "o": 2}, []), all_of(("x", "y"), ["z"]))
