# Functions that variables of a module hold: partials, lambdas, other names, what decorators made.
# file: work.py
import functools
import operator


def scale(factor, x, *, offset=0):
    return factor * x + offset


def noted(function):
    @functools.wraps(function)
    def inner(*args):
        return "noted", function(*args)

    return inner


half = functools.partial(scale, 0.5, offset=1)
square = lambda x: x * x
scaled = scale
cached = functools.lru_cache(lambda x: x + 1)
marked = noted(scale)
first = operator.itemgetter(0)


@functools.lru_cache
@noted
def twice(x):
    return 2 * x


class Model:
    def __call__(self, x):
        return -x


negative = Model()
# file: cord.toml
[remote.work]
pure = true
replicas = 2
callstyle = "async"
inline = false
only = ["half", "square", "scaled", "cached", "marked", "twice"]
# file: main.py
import functools
import pickle

import work

for x in range(4):
    print(work.half(x), work.square(x), work.scaled(2, x), work.cached(x), work.marked(2, x))
    print(work.twice(x), work.negative(x), work.first([x]))
print(work.half.func.__name__, work.half.args, work.half.keywords, isinstance(work.half, functools.partial))
print(functools.partial(work.half, offset=5)(2), work.square.__name__)
print(pickle.loads(pickle.dumps(work.half))(8), work.half(8, offset=3))
print([work.half(n) for n in range(5)], list(map(work.square, range(5))))
