# Results are looked at by their exact types, and so is what types are themselves.
# overlap: 4
# file: lib/checks.py
KINDS = [int, float, str]


def each(function, things):
    for thing in things:
        yield thing, function(thing)


def checked(value):
    if type(value) in KINDS and type(value) is not object:
        return [value]
    if type(value) == list or isinstance(value, (tuple, dict)):
        return list(value)
    raise ValueError(f"what is a {type(value).__name__}?")


class Meta(type):
    def __new__(mcs, name, bases, names):
        return type.__new__(mcs, name, bases, {**names, "made": True})


def class_of(value):
    class Own(metaclass=Meta):
        kind = type(value)

    assert type(Own) is Meta and isinstance(Own, type) and issubclass(Meta, type)
    assert type(type(3)) is type and type("Two", (Own,), {}).made and {type: 1}[type(int)]
    return Own
# file: main.py
import sys

sys.path.append("lib")
import work
from checks import checked, class_of, each

found = []
for x, said in each(lambda x: work.say(f"number {x}"), range(40)):
    if type(said) is not str:
        work.say("of something else")
    found += checked(said)
    print(class_of(said).kind.__name__, len(found))
print(found)
