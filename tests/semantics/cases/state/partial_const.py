# A name is bound to partial functions.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import functools
def mul(x, k): return x * k
op = functools.partial(mul, k=2)
def f(x): return op(x)
# file: main.py
import functools, work
print(work.f(3))
work.op = functools.partial(pow, 2)
print(work.f(3))
work.op = functools.partial(work.mul, k=4)
print(work.f(3))
