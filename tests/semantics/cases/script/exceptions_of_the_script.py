# Exceptions of the main script's own classes are caught as such, with attributes, causes and notes.
# file: work.py
def fail(cls, *args):
    raise cls(*args)


def call(function, *args):
    return function(*args)
# file: main.py
import work


class AppError(Exception):
    def __init__(self, text, code=7):
        super().__init__(text)
        self.code = code


class Deep(AppError):
    pass


def strict(x):
    if x > 2:
        error = Deep(f"{x} is too much", code=x)
        error.add_note("take less")
        raise error from KeyError(x)
    return x


for x in range(5):
    try:
        print(work.call(strict, x))
    except Deep as error:
        print("deep", error, error.code, error.__notes__, repr(error.__cause__))
try:
    work.fail(AppError, "plainly")
except AppError as error:
    print(type(error) is AppError, error, error.code)
try:
    work.fail(ExceptionGroup, "two", [AppError("one", 1), Deep("two", 2)])
except* Deep as group:
    print([error.code for error in group.exceptions])
except* AppError as group:
    print([error.code for error in group.exceptions])
work.call(strict, 9)
