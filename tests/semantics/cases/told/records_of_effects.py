# Functions that are not pure, and those that are independent, log too.
# file: work.py
import logging

log = logging.getLogger("app.work")
done = []


def count(x):
    done.append(x)
    log.info("%s of %s", x, len(done))
    return len(done)
# file: send.py
import logging


def send(name):
    logging.getLogger("app.send").warning("sent %s", name)
# file: main.py
import logging

import send
import work

logging.basicConfig(filename="app.txt", level=logging.INFO, format="%(name)s:%(lineno)d %(message)s")
for i in range(5):
    print(work.count(i))
for name in ["a", "b", "c"]:
    send.send(name)
logging.info("end")
# file: cord.toml
[remote.work]
[remote.send]
replicas = 2
independent = true
callstyle = "async"
