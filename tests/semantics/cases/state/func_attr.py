# Attributes, defaults and code of functions are changed.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
def helper(x, y=10, *, z=1): return x, y, z, helper.n
helper.n = 1
def f(x):
    return helper(x), f.k
f.k = 0
# file: main.py
import work
print(work.f(1)); work.f.k = 5; print(work.f(1)); work.helper.n = 7; print(work.f(1))
work.helper.__defaults__ = (50,); print(work.f(1))
work.helper.__kwdefaults__ = {'z': 9}; print(work.f(1))
work.helper.__code__ = (lambda x, y=0, *, z=0: (x, y, z, 'new')).__code__; print(work.f(1))
