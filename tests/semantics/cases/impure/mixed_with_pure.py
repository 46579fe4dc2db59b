# Impure and pure calls take turns, some of them inside each other.
# file: store.py
_data = {}
_log = []
def put(k, v):
    _log.append(("put", k))
    old = _data.get(k)
    _data[k] = v
    return old
def get(k, default=None):
    _log.append(("get", k))
    return _data.get(k, default)
def log():
    return list(_log)
# file: calc.py
def sq(x): return x * x
def inc(x): return x + 1
# file: main.py
import calc
from store import put, get, log
for i in range(5):
    k = "ab"[i % 2]
    print(put(k, calc.sq(i)), get(k), calc.inc(get(k)), calc.sq(calc.inc(i)))
    if get(k) == 4:
        put("c", "four")
print(get("c"), get("d", "?"), put("d", put("d", 1)), [get(k) for k in "abcd"])
print(len(log()), log()[-4:])
x = get("a") and calc.sq(2) or put("a", 0)
print(x, {k: get(k) for k in "ab" if calc.sq(2)})
# file: cord.toml
[remote.store]
replicas = 1
callstyle = "async"
[remote.calc]
replicas = 2
callstyle = "async"
pure = true
