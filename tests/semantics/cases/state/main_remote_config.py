# Remote functions of the main script read the state of modules.
# file: cord.toml
[remote.__main__]
only = ["f"]
pure = true
inline = false
replicas = 2
# file: config.py
settings = {'k': 1}
# file: helper.py
def h(x): return 0
# file: work.py

# file: main.py
import config, helper
def f(x): return x * config.settings['k'] + helper.h(x)
print([f(i) for i in range(3)])
config.settings['k'] = 5
print([f(i) for i in range(3)])
helper.h = lambda x: 1000
print([f(i) for i in range(3)])
