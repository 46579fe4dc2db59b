# Exception classes of the remote module: attributes, own __init__, __str__, notes, hierarchy.
# file: work.py
class WorkError(Exception):
    """Base of them."""


class Limit(WorkError):
    def __init__(self, limit, got, *, unit="s"):
        super().__init__(f"limit {limit} {unit}, got {got}")
        self.limit = limit
        self.got = got
        self.unit = unit


class Silent(WorkError):
    def __str__(self):
        return "silent as " + repr(self.args)


def f(x):
    if x == 1:
        raise Limit(10, x, unit="km")
    if x == 2:
        error = Silent("a", 2)
        error.extra = {"x": [x]}
        error.add_note("first note")
        error.add_note("second note")
        raise error
    if x == 3:
        raise LookupError
    if x == 4:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad byte")
    if x == 5:
        open("/does/not/exist")
    return x
# file: main.py
import work

for x in range(7):
    try:
        print(work.f(x))
    except work.Limit as error:
        print("limit", error, error.limit, error.got, error.unit, error.args)
    except work.WorkError as error:
        print(type(error) is work.Silent, error, error.extra, error.__notes__)
    except OSError as error:
        print(error.errno, error.filename, error.strerror, error)
    except Exception as error:
        print(type(error).__name__, error.args, error)
raise work.Limit(1, 2)
