# Several clients send the same content: the program, and replicas of another module.
# file: cord.toml
[remote.outer]
replicas = 2
callstyle = "async"
pure = true
inline = false
[remote.inner]
replicas = 2
callstyle = "async-demand(3)"
pure = true
inline = false
resident = "auto"
topology = "ring"
batch = 4
[remote.outer.functions.both]
resident = ["m", "words"]
# file: outer.py
import inner


def both(i, m, words):
    first = inner.total(i, m)
    m[i % len(m)] += 1
    return first, inner.total(i, m), inner.total(i, m), inner.joined(words, i)


# file: inner.py
def total(i, m):
    result = i + float(m.sum())
    m[:] = 0
    return result


def joined(words, i):
    words.append(str(i))
    return len(" ".join(words)) + i


# file: main.py
import array

import numpy as np

import inner
import outer

m = np.arange(9000.0)
words = ["word %d" % i for i in range(5000)]
for i in range(20):
    print(outer.both(i, m, words), inner.total(i, m), inner.joined(words, i))
    if i % 6 == 5:
        m[i] = 0.5
        words.append("one more")
print(len(words), m.sum())
for i in range(40):
    print(inner.total(i, m))
