# What the program registers with a generic function, replicas choose too.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import functools
@functools.singledispatch
def conv(x): return 'object'
@conv.register(int)
def _(x): return 'int'
def show(x): return conv(x)
# file: main.py
import work
print([work.show(x) for x in (1, 'a', 2.0)])
@work.conv.register(str)
def _(x): return 'main-str:' + x
work.conv.register(float, lambda x: 'float')
print([work.show(x) for x in (1, 'a', 2.0)])
