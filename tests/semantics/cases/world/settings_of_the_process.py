# The umask, limits and signals of the process are in a replica what they are in the program.
# told: 2
# file: work.py
import os
import resource
import signal


def write(name):
    descriptor = os.open(name, os.O_CREAT | os.O_WRONLY, 0o666)
    os.close(descriptor)
    return oct(os.stat(name).st_mode & 0o777)


def look(_):
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0], resource.getrlimit(resource.RLIMIT_CORE)[0]


def pipe(_):
    return signal.getsignal(signal.SIGPIPE).name, signal.getsignal(signal.SIGUSR1).name
# file: main.py
import os
import resource
import signal

import work

print([work.write(f"a{i}") for i in range(3)])
for mask in (0o077, 0o027, 0o000):
    os.umask(mask)
    print([work.write(f"b{mask}{i}") for i in range(3)])
os.umask(0o022)
print([work.write(f"c{i}") for i in range(3)])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
print([work.look(i)[0] for i in range(3)])
resource.setrlimit(resource.RLIMIT_NOFILE, (250, hard))
print([work.look(i)[0] for i in range(3)])
print([work.pipe(i) for i in range(3)])
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
print([work.pipe(i) for i in range(3)])
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
