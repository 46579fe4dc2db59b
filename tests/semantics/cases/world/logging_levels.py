# Calls see the levels that the program has given loggers.
# file: work.py
import logging

log = logging.getLogger("work")
inner = logging.getLogger("work.inner")


def look(_):
    kinds = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR
    return [[one.isEnabledFor(kind) for kind in kinds] for one in (logging.root, log, inner)]
# file: main.py
import logging

import work

print(work.look(0))
logging.getLogger("work").setLevel(logging.DEBUG)
print([work.look(i) for i in range(2)])
logging.getLogger().setLevel(logging.INFO)
print(work.look(0))
for level in (logging.ERROR, logging.NOTSET, logging.INFO):
    work.inner.setLevel(level)
    print(work.look(1))
logging.disable(logging.INFO)
print(work.look(2))
logging.disable(logging.NOTSET)
work.log.disabled = True
print(work.look(2))
work.log.disabled = False
logging.getLogger("work").setLevel(logging.NOTSET)
print(work.look(3))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
