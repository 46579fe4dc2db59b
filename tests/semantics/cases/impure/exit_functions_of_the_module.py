# An exit function of the module shows what calls have left.
# file: work.py
import atexit

seen = []
atexit.register(lambda: print("the end", seen))


def f(x):
    seen.append(x)
    return x
# file: main.py
import work

print([work.f(x) for x in range(4)])
# file: cord.toml
[remote.work]
