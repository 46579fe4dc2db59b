# The program registers classes with an abstract class of a remote module.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import abc


class Shape(abc.ABC):
    pass


class Held:
    pass


def is_shape(value):
    return isinstance(value, Shape)


def doubled(x):
    return 2 * x
# file: main.py
import work


class Square:
    pass


print([work.is_shape(one) for one in (Square(), work.Held(), 1)], work.doubled(1))
work.Shape.register(Square)


@work.Shape.register
class Circle:
    pass


print([work.is_shape(one) for one in (Square(), Circle(), work.Held(), 1)])
work.Shape.register(work.Held)
print([work.is_shape(one) for one in (Square(), work.Held(), 1)], work.doubled(2))
