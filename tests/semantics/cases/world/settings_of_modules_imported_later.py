# Settings of a library that a call imports are the program's there, too.
# file: tenant.py
from contextvars import ContextVar

current = ContextVar("current", default="nobody")


class Careful(UserWarning):
    pass
# file: work.py
def third(x):
    from decimal import Decimal

    return str(Decimal(x) / Decimal(3))


def who(x):
    import warnings

    import tenant

    try:
        warnings.warn("careful", tenant.Careful, stacklevel=1)
    except tenant.Careful:
        return x, tenant.current.get(), tenant.__loader__ is tenant.__spec__.loader
    return x, "went on"


def level(x):
    import logging

    return x, logging.getLogger("quiet").isEnabledFor(logging.DEBUG)
# file: main.py
import decimal
import logging
import warnings

import tenant
import work

decimal.getcontext().prec = 4
tenant.current.set("ann")
warnings.simplefilter("error", tenant.Careful)
logging.getLogger("quiet").setLevel(logging.DEBUG)
print([work.third(i) for i in range(3)])
print([work.who(i) for i in range(3)])
print([work.level(i) for i in range(3)])
decimal.getcontext().prec = 6
tenant.current.set("bob")
print(work.third(1), work.who(1), work.level(1))
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
