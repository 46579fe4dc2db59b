# Context variables of a module that the main script has under a name, too, or whose value changes in place.
# file: work.py
import contextvars

user = contextvars.ContextVar("user", default="nobody")
record = contextvars.ContextVar("record")


class Scope:
    def __init__(self, name):
        self.variable = contextvars.ContextVar(name, default=0)


scope = Scope("scope")


def asks(i):
    return user.get(), scope.variable.get(), i


def reads(i):
    return dict(record.get({})), i
# file: main.py
from work import asks, reads, record, scope, user

for i in range(5):
    token = user.set(f"u{i}")
    scope.variable.set(i)
    print(asks(i))
    user.reset(token)
print(asks(5))
record.set({})
for i in range(5):
    record.get()["n"] = i
    print(reads(i))
