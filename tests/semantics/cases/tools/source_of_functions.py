# inspect finds the source of the program's functions and of remote ones.
# file: work.py
import functools

def square(x: int, *, scale: float = 1.0) -> float:
    "The square."
    return x * x * scale

@functools.lru_cache
def cached(x):
    # a comment inside
    return x + 1
# file: helpers.py
from work import square

def helper(x):
    "Documentation."
    return square(x)
# file: main.py
import functools
import inspect
import helpers
import work
from work import square

def noisy(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper

@noisy
def search(n):
    # counts
    return [square(x) for x in range(n)]

class Search:
    def run(self, n):
        return [square(x) for x in range(n)]

def frame():
    here = inspect.currentframe()
    return square(2), here.f_lineno, inspect.getframeinfo(here).code_context

for thing in (search, Search, Search.run, square, work.square, helpers.helper, work):
    lines, start = inspect.getsourcelines(thing)
    print(start, "".join(lines))
    print(inspect.getsourcefile(thing).rpartition("/")[2], inspect.getdoc(thing))
print(inspect.getsource(work.cached))
print(inspect.signature(square), inspect.signature(work.cached), inspect.isfunction(square))
print(search.__code__.co_name, search.__wrapped__.__code__.co_firstlineno)
print(search(3), Search().run(2), helpers.helper(3), frame())
print([info.function for info in inspect.stack()][:1])
