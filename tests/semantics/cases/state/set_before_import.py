# What is set before a remote module is imported, its import reads.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: config.py
settings = {'factor': 1}
NAME = 'x'
# file: work.py
import config
AT_IMPORT = config.NAME
def f(n): return n * config.settings['factor'], config.NAME, AT_IMPORT
# file: main.py
import config
config.settings['factor'] = 3
config.NAME = 'changed'
import work
print([work.f(n) for n in range(4)], work.AT_IMPORT)
