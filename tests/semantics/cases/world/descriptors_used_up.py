# A call uses up all descriptors; what later ones need of Cord to bring changed arguments home is
# loaded then.
# file: work.py
import os
import resource

_held = []


def use_up():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
    try:
        while True:
            _held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.strerror


def fill(items):
    items.append(len(_held) > 9)


# file: main.py
import work

print(work.use_up())
items = []
work.fill(items)
print(items)
# file: cord.toml
[remote.work]
replicas = 1
inline = false
