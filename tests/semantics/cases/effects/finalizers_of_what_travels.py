# An object dies once, where the program lets go of it, though calls are given it or have made it.
# told: 2
# file: work.py
class Handle:
    def __init__(self, n):
        self.n = n

    def __del__(self):
        print("close", self.n)


def name(handle):
    return handle.n


def make(n):
    return Handle(n)


def both(n):
    return [Handle(n), n]


def inside(n):
    handle = Handle(n)
    return handle.n
# file: main.py
import work

for i in range(4):
    handle = work.Handle(i)
    print("have", work.name(handle))
    made = work.make(-i)
    print("made", made.n, work.both(i + 10)[1])
    print(work.inside(i + 20))
print("end")
del handle
print("after")
