# Three modules in a ring, some functions pure and some not, one replica each.
# file: cord.toml
[remote.one]
replicas = 1
callstyle = "async"

[remote.one.functions.look]
pure = true

[remote.two]
replicas = 1
callstyle = "async"
pure = true

[remote.three]
replicas = 1
# file: one.py
import two

state = []


def put(x):
    state.append(x)
    return two.pass_on(x), len(state)


def look(x):
    return two.double(x) + 1


def get():
    return state
# file: two.py
import three


def pass_on(x):
    return three.end(x) if x % 2 else x


def double(x):
    return 2 * x
# file: three.py
import one
import two

ends = 0


def end(x):
    global ends
    ends += 1
    return one.look(x), two.double(x), one.get()[-1], ends
# file: main.py
import one
import three
import two

for x in range(12):
    print(one.look(x), two.double(x), one.put(x))
print(one.get(), three.end(3))
