# Pure functions that leave handlers at loggers, or set flags of decimals at which the program looks.
# told: 2
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import decimal, logging

log = logging.getLogger("work")
def adds(x): log.addHandler(logging.NullHandler())
def takes_away(x):
    handler = logging.NullHandler()
    log.addHandler(handler)
    log.removeHandler(handler)
def divides(x): return str(decimal.Decimal(1) / (x + 3))
def annotated(x: "int"):
    return annotated.__annotations__
# file: main.py
import decimal, logging
import work

for name in ("adds", "takes_away", "divides", "annotated"):
    print([getattr(work, name)(i) for i in range(3)])
print(len(logging.getLogger("work").handlers), decimal.getcontext().flags[decimal.Inexact])
