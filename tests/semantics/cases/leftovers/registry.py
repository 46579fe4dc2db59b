# A pure function that registers something in a dict of its module's.
# told: 1
# file: work.py
REG = {}


def register(name):
    def deco(fn):
        REG[name] = fn
        return fn

    return deco


@register("a")
def fa(x):
    return x


def f(x):
    t = sum(i % 7 for i in range(3000))
    register("n%d" % x)(fa)
    return len(REG)


# file: main.py
import work

for x in range(8):
    print(work.f(x))
print(sorted(work.REG))
