# The program gives objects of a module another class, and classes other ones above them.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
class A:
    def go(self):
        return "A"


class B:
    def go(self):
        return "B"


class Under(A):
    pass


thing = A()
things = [A(), A()]


def which(x):
    return thing.go(), [one.go() for one in things], A().go(), B().go(), x


def under(x):
    return Under().go(), x
# file: main.py
import work


class C(work.A):
    def go(self):
        return "C"


def show():
    print([work.which(x) for x in range(3)], work.under(1))


show()
work.thing.__class__ = work.B
work.things[1].__class__ = C
show()
work.A.go, work.B.go = work.B.go, work.A.go
show()
work.thing.held = 1
work.Under.__bases__ = (work.B,)
show()
work.thing.__class__ = work.A
work.Under.__bases__ = (work.A,)
show()
del work.thing.held
show()
