# What an independent function changes is the program's, too, where its text names it for getattr.
# file: work.py
class Last:
    pass


def note(x):
    Last.value = x
    return 3 * x
# file: main.py
import work

for x in range(4):
    print(work.note(x))
print(getattr(work.Last, "value", None), hasattr(work.Last, "value"))
# file: cord.toml
[remote.work]
replicas = 2
independent = true
inline = false
