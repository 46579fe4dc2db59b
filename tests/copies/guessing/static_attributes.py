# Libraries look into classes by what C code gives of them, as isinstance() of a Protocol does.
# overlap: 4
# file: lib/checks.py
import inspect
from typing import Protocol, runtime_checkable


@runtime_checkable
class Named(Protocol):
    def name(self): ...


class Thing:
    def name(self):
        return "thing"


def each(function, things):
    for thing in things:
        assert isinstance(Thing(), Named) and not isinstance(thing, Named)
        assert inspect.getattr_static(Thing(), "name") is Thing.name
        assert inspect.getattr_static(Thing, "missing", None) is None
        kinds = [type(kind).__name__ for kind in (Thing, Named, thing)]
        yield kinds, function(thing)
# file: main.py
import sys

sys.path.append("lib")
import work
from checks import each

for kinds, said in each(lambda x: work.say(f"number {x}"), range(40)):
    print(kinds, said)
