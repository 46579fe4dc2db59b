# Calls compute with the decimal context of the program, however it was set.
# file: work.py
import decimal
from decimal import Decimal


def third(x):
    return str(Decimal(x) / Decimal(3))


def tiny(x):
    try:
        return str(Decimal(x) / Decimal(7) * Decimal("1e-40"))
    except decimal.DecimalException as exc:
        return type(exc).__name__


def fresh(x):
    return decimal.Context().prec + x
# file: main.py
import decimal
import threading
from decimal import ROUND_UP, Inexact, localcontext

import work

print([work.third(i) for i in range(1, 3)])
decimal.getcontext().prec = 5
print([work.third(i) for i in range(1, 3)])
for precision in (3, 9, 4, 28):
    decimal.getcontext().prec = precision
    print(precision, work.third(1), work.third(2))
with localcontext() as context:
    context.prec = 7
    context.rounding = ROUND_UP
    print([work.third(i) for i in range(1, 3)])
    context.traps[Inexact] = True
    print([work.tiny(i) for i in range(1, 3)])
print([work.third(i) for i in range(1, 3)], work.tiny(1))
decimal.DefaultContext.prec = 11
print(work.fresh(0), work.third(1))


def elsewhere():
    print("thread", work.third(1))
    decimal.getcontext().prec = 2
    print("thread", work.third(1))


thread = threading.Thread(target=elsewhere)
thread.start()
thread.join()
print(work.third(1))
decimal.setcontext(decimal.Context(prec=4, capitals=0))
print(work.third(1), work.tiny(1))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
