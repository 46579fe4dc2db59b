# Impure calls in branches, short circuits and except blocks happen only when reached.
# file: work.py
def f(x):
    if x == 4:
        raise ValueError(x)
    return x
# file: audit.py
_log = []


def note(*what):
    _log.append(what)
    return len(_log)


def all_notes():
    return _log
# file: cord.toml
[remote.work]
replicas = 2
pure = true

[remote.audit]
replicas = 1
# file: main.py
import audit
import work

for i in range(7):
    try:
        v = work.f(i)
        if v > 2:
            audit.note("big", v)
        v == 1 and audit.note("one")
        if v == 6:
            break
    except ValueError as error:
        audit.note("error", error.args)
    else:
        audit.note("fine", i)
    finally:
        audit.note("finally", i)
else:
    audit.note("never")
for line in audit.all_notes():
    print(line)
