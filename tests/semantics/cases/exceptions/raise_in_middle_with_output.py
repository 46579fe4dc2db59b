# Partial output and files before an exception of the client in the middle of a loop.
# stderr: whole
# file: work.py
def f(x):
    return x * 2
# file: main.py
import work


class Stop(Exception):
    pass


def process(n):
    with open("log.txt", "a") as log:
        for i in range(n):
            value = work.f(i)
            log.write(f"{i}={value};")
            print(value)
            if value == 6:
                raise Stop(i, value)


try:
    process(10)
except Stop as stop:
    print("stopped", stop.args)
process(5)
