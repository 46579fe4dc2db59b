# What the frames of a remote exception hold is let go when the exception has been handled.
# file: work.py
def boom(x):
    raise ValueError(x)


# file: main.py
import work


class Held:
    def __del__(self):
        print("held is gone")


def numbers():
    try:
        yield 1
    finally:
        print("the generator ends")


def inner():
    held = Held()
    return {u: work.boom(u) for u in numbers()}


def run():
    try:
        inner()
    except ValueError as error:
        print("caught", error)
    print("after")


run()
print("end")
