# The program lowers the limit of its descriptors, and has replicas started after that; what it opens
# gets the numbers that it would have got.
# file: work.py
def square(x):
    return x * x
# file: main.py
import os
import resource

import work

most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (500, most))
print([work.square(x) for x in range(8)])
file = open("main.py")


def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


print(file.fileno(), [number for number in range(3, 48) if is_open(number)])
print([work.square(x) for x in range(8)])
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
pure = true
inline = false
