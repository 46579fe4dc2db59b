# A helper is replaced by a closure, a lambda and a bound method.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: helper.py
def double(x): return 2 * x
# file: work.py
import helper
def f(x): return helper.double(x)
# file: main.py
import work, helper
def make(k):
    def inner(x): return x * k
    return inner
helper.double = make(7); print([work.f(n) for n in range(3)])
helper.double = lambda x: x - 1; print([work.f(n) for n in range(3)])
class T:
    def __init__(self, a): self.a = a
    def m(self, x): return x + self.a
t = T(100)
helper.double = t.m; print([work.f(n) for n in range(3)])
t.a = 200; print([work.f(n) for n in range(3)])
