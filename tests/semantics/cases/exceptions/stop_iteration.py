# StopIteration, GeneratorExit and KeyboardInterrupt raised by remote functions are just that.
# file: work.py
def f(x):
    if x == 2:
        raise StopIteration("two")
    if x == 3:
        raise KeyboardInterrupt("three")
    if x == 4:
        raise GeneratorExit
    return x


class Own(BaseException):
    pass


def g(x):
    raise Own(x)
# file: main.py
import work

for x in range(6):
    try:
        print(work.f(x))
    except BaseException as error:
        print(type(error).__name__, error.args)


def pull():
    for x in range(5):
        yield work.f(x)


try:
    print(list(pull()))
except RuntimeError as error:
    print(error, repr(error.__cause__))
print(list(map(work.f, range(5))))
try:
    work.g(1)
except Exception:
    print("wrong")
except work.Own as error:
    print("own", error)
