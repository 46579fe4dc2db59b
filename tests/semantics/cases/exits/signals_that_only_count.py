# Handlers that return let the call that they interrupt go on.
# file: work.py
import time
def nap(s):
    time.sleep(s)
    return s
# file: main.py
import signal, os
from work import nap
hits = []
signal.signal(signal.SIGALRM, lambda n, f: hits.append(n))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
print([nap(0.1) for _ in range(3)])
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(hits) >= 2)
signal.signal(signal.SIGUSR1, lambda n, f: print("usr1", nap(0.01)))
for i in range(2):
    os.kill(os.getpid(), signal.SIGUSR1)
    print(nap(0.02))
