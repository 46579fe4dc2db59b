# Attributes of classes that are set, deleted and set again.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
class Conf:
    scale = 1
def f(n): return n * Conf.scale
# file: main.py
import work
print([work.f(n) for n in range(3)])
work.Conf.scale = 5
print([work.f(n) for n in range(3)])
del work.Conf.scale
try:
    print([work.f(n) for n in range(3)])
except AttributeError as e: print(type(e).__name__, e)
work.Conf.scale = 1
print([work.f(n) for n in range(3)])
