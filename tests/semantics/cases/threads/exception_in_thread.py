# A remote exception in a thread stays in that thread.
# file: work.py
def f(x):
    if x == 3:
        raise ValueError("three")
    return x
# file: main.py
import threading

import work

seen = []


def hook(args):
    seen.append((args.exc_type.__name__, str(args.exc_value)))


def run(n):
    for i in range(n):
        seen.append(work.f(i))


threading.excepthook = hook
for n in (2, 5):
    thread = threading.Thread(target=run, args=(n,))
    thread.start()
    thread.join()
print(seen, work.f(7))
