# What a remote function has patched is so in the functions of other remote modules that it calls.
# file: cord.toml
[remote.work]

[remote.caller]

[remote.pure]
pure = true

[remote.pure_caller]
pure = true
# file: conf.py
LIMIT = 1


def value():
    return LIMIT * 10
# file: work.py
import conf


def look(x):
    return x, conf.value(), conf.LIMIT
# file: pure.py
import conf


def look(x):
    return x, conf.value(), conf.LIMIT
# file: caller.py
from unittest import mock

import conf
import pure
import work


def run(n):
    with mock.patch.object(conf, "LIMIT", n), mock.patch("conf.value", lambda: -n):
        return work.look(n), pure.look(n), conf.value()
# file: pure_caller.py
from unittest import mock

import conf
import pure


def run(n):
    with mock.patch.object(conf, "LIMIT", n), mock.patch("conf.value", lambda: -n):
        return pure.look(n), conf.value()
# file: main.py
import caller
import pure
import pure_caller
import work

for n in range(4):
    print(caller.run(n), work.look(n), pure.look(n))
    print(pure_caller.run(n), pure.look(n))
