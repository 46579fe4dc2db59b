# A call reaches the function that it is made of, whatever its name leads to by then.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
def f(x):
    return "f", x


def g(x):
    return "g", x


def both(x):
    return f(x), g(x)


def called(function, x):
    return function(x), f(x)
# file: main.py
import work


def show():
    print([work.f(x) for x in range(3)], [work.g(x) for x in range(3)])
    print([work.both(x) for x in range(2)])


first = work.f
show()
work.f, work.g = work.g, work.f
show()
original = work.f
work.f = lambda x: ("mine", original(x))
show()
print([work.called(first, x) for x in range(2)], [first(x) for x in range(2)])
del work.f
print(first(1), original(2))
work.f = first
show()
