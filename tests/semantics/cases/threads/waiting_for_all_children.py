# Programs that wait for any child see their own children, and no others.
# file: work.py
def f(x):
    return x + 1
# file: main.py
import multiprocessing
import os
import signal
import sys

import work

ended = []
signal.signal(signal.SIGCHLD, lambda *_: ended.append("a child"))
print(work.f(1), multiprocessing.active_children())
try:
    os.wait()
except ChildProcessError as error:
    print(error)
sys.stdout.flush()
for code in (3, 4):
    if os.fork() == 0:
        os._exit(code)
codes = []
while True:
    try:
        codes.append(os.waitstatus_to_exitcode(os.waitpid(-1, 0)[1]))
    except ChildProcessError:
        break
print(sorted(codes), len(ended) > 0)
try:
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG)
except ChildProcessError as error:
    print(error)
print(work.f(2))
# file: cord.toml
[remote.work]
