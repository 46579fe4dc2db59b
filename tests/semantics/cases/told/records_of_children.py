# A record of a forked child is printed by the child.
# file: work.py
import logging
import os

logging.basicConfig(format="%(name)s %(message)s")


def f(x):
    pid = os.fork()
    if pid == 0:
        logging.getLogger("child").warning("in child %s", x)
        os._exit(0)
    os.waitpid(pid, 0)
    logging.getLogger("parent").warning("in parent %s", x)
    return x
# file: main.py
import work

for i in range(2):
    print(work.f(i))
# file: cord.toml
[remote.work]
