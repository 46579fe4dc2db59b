# Objects that have whatever they are asked for: mocks, and those with a `__getattr__` of their own.
# file: cord.toml
[remote.work]
pure = true
replicas = 2
inline = false

[remote.undeclared]
inline = false
# file: work.py
def use(thing):
    thing.go(1)
    return thing.value


def call(function, *args):
    return function(*args)


def save(store, x):
    store.save(x)
    return store.count()
# file: undeclared.py
class Recorder:
    def __init__(self):
        object.__setattr__(self, "calls", [])

    def __getattr__(self, name):
        def method(*args):
            self.calls.append((name, args))
            return self

        return method


def drive(recorder):
    recorder.move(1).turn(90)
    return recorder
# file: main.py
from unittest.mock import MagicMock, Mock, create_autospec

import undeclared
import work


class Store:
    def save(self, x):
        pass

    def count(self):
        return 1


mock = Mock(value=3)
magic = MagicMock(value=4)
for i in range(3):
    print(work.use(mock), mock.go.call_count, mock.mock_calls)
    print(work.use(magic), magic.go.call_count)
failing = Mock(side_effect=[1, ValueError("v")])
print(work.call(failing, 7), failing.call_args)
try:
    work.call(failing)
except ValueError as error:
    print(error, failing.call_count)
store = create_autospec(Store, instance=True)
store.count.return_value = 4
print(work.save(store, 1), store.save.call_args, store.mock_calls)
recorder = undeclared.Recorder()
for i in range(2):
    print(undeclared.drive(recorder) is recorder, recorder.calls)
