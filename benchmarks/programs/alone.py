"""The same work as in `busy.py` in two processes that are told nothing: what the machine gives."""

import os
import time

import work
from timing import report

COUNT = 2000
TASK = 0.001
CORES = 2

begin = time.perf_counter()
children = []
for _ in range(CORES):
    child = os.fork()
    if child == 0:
        for _ in range(COUNT // CORES):
            work.busy(TASK)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
seconds = time.perf_counter() - begin
report(efficiency=COUNT * TASK / seconds / CORES)
