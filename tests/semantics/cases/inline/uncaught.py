# An exception in a call that the program makes itself looks as plain Python shows it.
# stderr: whole
# file: work.py
def check(x):
    return verify(x)


def verify(x):
    if x == 350:
        raise LookupError(x)
    return x


# file: main.py
import work


def run():
    for x in range(400):
        try:
            work.check(x)
        except LookupError as error:
            raise RuntimeError("stopped") from error


run()
