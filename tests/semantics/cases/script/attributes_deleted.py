# Attributes that the program deletes from a class of its own are gone for calls, too.
# file: cord.toml
[remote.main]
pure = true
replicas = 2
inline = false
# file: main.py
import abc


class Plain:
    pass


class Abstract(abc.ABC):
    @abc.abstractmethod
    def name(self): ...


class Slots(Abstract):
    __slots__ = ("x",)

    def name(self):
        return "slots"


def has(n):
    made = Slots()
    made.x = n
    return hasattr(Plain, "flag"), getattr(Slots, "flag", None), made.x, made.name(), n


def value():
    return Plain.flag


print(has(0))
Plain.flag, Slots.flag = 2, []
print(has(1), value())
Slots.flag.append(1)
print(has(2))
del Plain.flag, Slots.flag
print(has(3))
try:
    value()
except AttributeError as error:
    print(error)
