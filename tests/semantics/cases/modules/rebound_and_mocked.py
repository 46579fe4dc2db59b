# A client that rebinds or mocks a remote function gets its own.
# file: work.py
def f(x):
    return ("real", x)


def g(x):
    return ("real g", x)
# file: helper.py
import work


def both(x):
    return work.f(x), work.g(x)
# file: main.py
from unittest import mock

import helper
import work
from work import g

print(helper.both(1), g(1))
with mock.patch("work.f", lambda x: ("mock", x)):
    print([helper.both(i) for i in range(2)])
    with mock.patch.object(work, "g", return_value="other") as fake:
        print(helper.both(3), g(3), fake.call_args_list)
print(helper.both(4))
original = work.f
for i in range(4):
    print(work.f(i))
    if i == 1:
        work.f = lambda x: ("rebound", original(x))
del work.g
try:
    work.g(1)
except AttributeError as error:
    print(error)
g = str
print(g(5))
