# A table is filled by a module that only the program imports.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: extra.py
import plugins
@plugins.add('b')
def b(x): return x * 100
# file: plugins.py
TABLE = {}
def add(k):
    def deco(f):
        TABLE[k] = f
        return f
    return deco
@add('a')
def a(x): return x + 1
# file: work.py
import plugins
def run(k, x):
    f = plugins.TABLE.get(k)
    return None if f is None else f(x)
# file: main.py
import work, plugins
import extra
print([work.run(k, 2) for k in ('a', 'b')])
