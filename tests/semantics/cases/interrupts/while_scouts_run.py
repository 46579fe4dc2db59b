# A handler raises while scouts compute, and catches what they catch: no exception is lost.
# file: work.py
def same(x):
    return x
# file: main.py
import signal

import work

raised = caught = 0


class Slow(Exception):
    pass


def on_alarm(number, frame):
    global raised
    raised += 1
    raise Slow("slow")


def run(count):
    results = []
    for i in range(count):
        try:
            results.append(work.same(sum(j % 7 for j in range(i % 3000))))
        except LookupError:
            results.append(None)
        except Slow:
            results.append("slow")
            raise
    return results


signal.signal(signal.SIGALRM, on_alarm)
while raised < 30:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.007)
        run(100000)
    except Slow:
        caught += 1
print(raised, caught)
