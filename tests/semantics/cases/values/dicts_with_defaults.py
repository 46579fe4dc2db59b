# Items that come into being in a call are the program's, and so is what makes them.
# file: cord.toml
[remote.work]
independent = true
replicas = 2
inline = false

[remote.other]
inline = false
# file: work.py
def look(d, k):
    return d[k]


def put(d, k):
    d[k].append(k)


def freeze(d):
    d.default_factory = None


def mix(d):
    d["a"] += 1
    d.x.append(len(d))
# file: other.py
def look(d, k):
    return d[k]


def put(d, k):
    d[k].append(k)
# file: main.py
import collections
import other
import work


class Own(collections.defaultdict):
    pass


d, e = collections.defaultdict(list), collections.defaultdict(list)
f = collections.defaultdict(lambda: [7])
made = f.default_factory
for i in range(3):
    work.look(d, i).append(i)
    other.look(e, i).append(i)
    work.put(e, i)
    other.put(d, -i)
    print(dict(d), dict(e))
    print(work.look(f, i), dict(f), f.default_factory is made)
work.freeze(f)
print(f.default_factory)
own = Own(int)
own.x = []
for i in range(3):
    work.mix(own)
    print(own, own.x)
