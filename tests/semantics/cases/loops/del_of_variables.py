# Variables deleted in the loop are gone, also for what looks ahead.
# stderr: whole
# file: work.py
def inc(x):
    return x + 1
# file: main.py
import work


def run(n):
    extra = 5
    for i in range(n):
        value = work.inc(i)
        print(value, "value" in locals())
        del value
        print("value" in locals())
        if i == 2:
            del extra
        print(work.inc(extra))


run(2)
run(5)
