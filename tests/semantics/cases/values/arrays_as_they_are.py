# Arrays and numbers of numpy's, alone and inside of other values, arrive as they are: type, shape,
# order, whether they may be written, bits, and which of them are one object.
# file: work.py
import numpy as np


def looks(value):
    if isinstance(value, np.ndarray):
        flags = value.flags
        order = flags.c_contiguous, flags.f_contiguous, flags.writeable
        bits = value.tolist() if value.dtype.hasobject else value.tobytes("A").hex()
        return type(value).__name__, value.dtype.str, value.shape, order, bits
    if isinstance(value, np.generic) and value.dtype != np.longdouble:
        return type(value).__name__, value.tobytes().hex()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [looks(item) for item in value]
    if isinstance(value, dict):
        return "dict", [(looks(key), looks(item)) for key, item in value.items()]
    return type(value).__name__, repr(value)


def look(value, i):
    return looks(value), i


def give(value, i):
    return value


def same(*values, **more):
    values += tuple(more.values())
    return [[one is other for other in values] for one in values]


def fill(values, i):
    made = [np.full(values.shape, i, values.dtype), values.sum(), values.max()]
    made.append(made[0])
    return {"made": made, "none": None, 1.5: (i, b"x", "y" * 300)}
# file: main.py
import numpy as np

import work

base = np.arange(12).reshape(3, 4)
frozen = np.linspace(-0.0, 1, 5)
frozen.flags.writeable = False
kinds = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
things = [base.astype(kind) for kind in kinds]
things += [
    np.asfortranarray(base), base.T, frozen, base[1], np.array([np.nan, -0.0, np.inf]),
    np.zeros((0, 2)), np.array(2.5), np.arange(3, dtype=">i2"), np.zeros(2, "i4,f8"),
    np.array(["a", "bc"]), np.array([1, "x", None], object), np.ones((1, 2, 1, 2, 1)),
    np.float64(1.5), np.float32(-0.0), np.int8(-3), np.bool_(True), np.complex128(1 + 2j),
    np.float64("nan"), np.datetime64("2020-01-01"), np.longdouble(1.5), np.str_("text"),
    [base, (base, {"x": base, 2: [frozen, 2**70, 2**40]})], {}, [], (), [[], ()],
    {"key": [1, 2.5, None, True, "ä" * 300, b"z" * 300]}, tuple(range(20)), [list("ab")] * 3,
]
for i, thing in enumerate(things):
    print(work.look(thing, i))

for i, thing in enumerate(things):
    print(work.looks(thing) == work.look(work.give(thing, i), i)[0])

for i in range(3):
    print(work.same(base, base, base.T, [base], base[1], i), work.same(base, other=base))

for i, thing in enumerate(things[1:16]):
    found = work.fill(thing, i)
    made = found["made"]
    print(i, made[0] is made[3], made[0].flags.writeable, [work.looks(one) for one in made])
    made[0][0] = 1
    print(list(found), found[1.5])

values = np.zeros(3)
for i in range(6):
    print(work.look([values, i], i))
    values[i % 3] = -0.0 if i % 2 else i
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
only = ["look", "give", "same", "fill"]
