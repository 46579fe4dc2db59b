# Caches that the program clears are cleared in replicas.
# told: 2
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import functools
@functools.lru_cache(maxsize=None)
def load(p): return open(p).read()
@functools.cache
def inner(p): return open(p).read()
def via(p): return 'via' + inner(p)
# file: main.py
import work
open('c.txt','w').write('1')
print(work.load('c.txt'), work.via('c.txt'))
open('c.txt','w').write('2')
work.load.cache_clear(); work.inner.cache_clear()
print(work.load('c.txt'), work.via('c.txt'))
