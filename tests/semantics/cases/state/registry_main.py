# A decorator of the main script fills a registry with functions that read its globals.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
REG = []
def _register(f):
    REG.append(f)
    return f
register = type('R', (), {'__call__': staticmethod(lambda f: _register(f))})()
@register
def ident(x): return x
def run(name, x):
    for f in REG:
        if f.__name__ == name: return f(x)
    return None
# file: main.py
import work
@work.register
def double(x): return 2 * x
@work.register
def neg(x): return -x
print([work.run(name, 5) for name in ('double', 'neg', 'ident')])
OFFSET = 3
@work.register
def off(x): return x + OFFSET
print(work.run('off', 1))
OFFSET = 10
print(work.run('off', 1))
