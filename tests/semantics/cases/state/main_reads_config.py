# Functions and classes of the main script read the state of modules.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: config.py
K = 1
# file: work.py
def apply(f, x): return f(x)
def run(t): return t.run()
# file: main.py
import config, work
def scale(x): return x * config.K
class Task:
    def run(self): return config.K + 1
print(work.apply(scale, 2), work.run(Task()))
config.K = 10
print(work.apply(scale, 2), work.run(Task()))
print(work.apply(lambda x: x - config.K, 2))
config.K = 20
print(work.apply(lambda x: x - config.K, 2))
