# Calls with effects: no later one is made before the outcome of an earlier one is known.
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "async"
# file: work.py
import time

log = []


def note(text):
    time.sleep(0.005)
    print("noted", text)
    if text == "bad":
        raise ValueError(text)
    log.append(text)
    return len(log)


def all_notes():
    return list(log)
# file: main.py
import work


def local_work(n):
    return sum(i % 3 for i in range(n))


def main():
    first = work.note("one")
    y = local_work(1000)
    second = work.note("two")
    z = local_work(2000)
    print(first, second, y, z)
    kept = []
    try:
        third = work.note("bad")
        kept.append(local_work(1000))
        fourth = work.note("never")
        print(third, fourth)
    except ValueError as error:
        print(error, kept)
    print(work.all_notes())


main()
