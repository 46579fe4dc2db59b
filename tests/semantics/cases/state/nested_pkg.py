# State in nested packages, and names of it in other modules.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: pkg/__init__.py

# file: pkg/other.py
K = 2
# file: pkg/sub/__init__.py

# file: pkg/sub/conf.py
VALUES = [1, 2, 3]
DEEP = {'a': {'b': []}}
# file: work.py
from pkg.sub import conf
from pkg.sub.conf import VALUES, DEEP
import pkg.other
def f(x): return sum(VALUES) + x, DEEP, conf.DEEP is DEEP
def g(x): return pkg.other.K * x
# file: main.py
import pkg.sub.conf as conf
import work
conf.VALUES.append(4)
print(work.f(1))
conf.DEEP['a']['b'].append(1)
print(work.f(1))
import pkg.other
pkg.other.K = 8
print(work.g(1))
