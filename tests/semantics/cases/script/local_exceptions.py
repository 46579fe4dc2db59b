# Exception classes that are defined inside functions, of the program and of the remote module.
# file: work.py
def strict(x):
    class Refused(ValueError):
        code = 5

    if x == 2:
        raise Refused("two")
    return x


def call(function, *args):
    return function(*args)
# file: main.py
import work


def main():
    class Stop(Exception):
        def __init__(self, at):
            super().__init__(at)
            self.at = at

    def below(x):
        if x > 1:
            raise Stop(x)
        return x

    try:
        for i in range(4):
            print(work.call(below, i))
    except Stop as error:
        print("stopped at", error.at)
    try:
        for i in range(4):
            print(work.strict(i))
    except ValueError as error:
        print(type(error).__name__, error, error.code)


main()
work.strict(2)
