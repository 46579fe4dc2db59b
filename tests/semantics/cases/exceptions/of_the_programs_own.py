# What a remote function raises of its arguments is the program's own: the exception itself, causes, contexts, members,
# and what exceptions have in fields, slots and attributes.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false

[remote.tied]
# file: work.py
import raising


def call(name, *given):
    return getattr(raising, name)(*given)
# file: tied.py
import raising


def call(name, *given):
    return getattr(raising, name)(*given)
# file: raising.py
class Slotted(Exception):
    __slots__ = ("part",)


def again(error):
    raise error


def stop(value):
    raise StopIteration(value)


def leave(value):
    raise SystemExit(value)


def lacking(owner):
    return owner.missing


def caused(error):
    raise KeyError("outer") from error


def in_context(error):
    try:
        raise error
    except ValueError:
        raise KeyError("later")


def slotted(part):
    error = Slotted("x")
    error.part = part
    raise error


def grouped(errors):
    raise ExceptionGroup("some", errors)
# file: main.py
import traceback

import tied
import work


class Box:
    pass


def raised(call, *given):
    try:
        call(*given)
    except BaseException as error:
        return error
    return None


for module in [work, tied]:
    for _ in range(3):
        error, row, box = ValueError("inner", [1]), [1, 2], Box()
        try:
            raise error
        except ValueError:
            pass
        print(raised(module.call, "again", error) is error, error.args)
        print([one.name for one in traceback.extract_tb(error.__traceback__)])
        print(raised(module.call, "stop", row).value is row)
        print(raised(module.call, "leave", row).code is row)
        print(raised(module.call, "lacking", box).obj is box)
        print(raised(module.call, "caused", error).__cause__ is error)
        print(raised(module.call, "in_context", error).__context__ is error)
        print(raised(module.call, "slotted", row).part is row)
        both = [error, KeyError(2)]
        group = raised(module.call, "grouped", both)
        print(group.exceptions[0] is error, group.exceptions[1] is both[1])
