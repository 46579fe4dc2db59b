# Calls come over TCP, Unix sockets and shared memory, with values, output and exceptions of any size.
# file: cord.toml
[remote.over_tcp]
replicas = 2
callstyle = "async"
pure = true
transport = "tcp"

[remote.over_unix]
callstyle = "async"
pure = true
transport = "unix"

[remote.over_shm]
replicas = 2
callstyle = "async"
pure = true
transport = "shm"
# file: over_tcp.py
from over_unix import doubled


def made(number, size):
    print("making", number)
    return bytearray([number]) * size


def nested(data):
    return len(doubled(data))
# file: over_unix.py
def doubled(data):
    return data + data
# file: over_shm.py
def checked(data):
    if data[:1] == b"\x03":
        raise ValueError("three" * 50_000)
    return data[:5]
# file: main.py
from over_shm import checked
from over_tcp import made, nested
from over_unix import doubled

for size in (1, 1000, 100_000, 2_000_000):
    for number in range(6):
        try:
            data = made(number, size)
            print(size, len(doubled(data)), checked(doubled(made(number, size))), nested(data))
        except ValueError as error:
            print(len(str(error)))
