# Calls find the classes that the program has defined below one, and the handlers that it has set.
# told: 2
# file: work.py
import signal


class Base:
    pass


class Own(Base):
    pass


def names():
    return sorted(one.__name__ for one in Base.__subclasses__())


def is_default():
    return signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL
# file: main.py
import signal

import work


class First(work.Base):
    pass


print(work.names(), work.is_default())


class Second(work.Own):
    pass


class Third(work.Base):
    pass


signal.signal(signal.SIGUSR1, lambda *args: print("usr1"))
print(work.names(), work.is_default())
signal.raise_signal(signal.SIGUSR1)
