# A library hands items on through pipes and a pair of sockets, and an event loop wakes itself.
# overlap: 4
# file: lib/hands.py
import asyncio
import os
import select
import socket

BEFORE = os.pipe(), socket.socketpair()
LISTENS = select.epoll()
LISTENS.register(BEFORE[0][0], select.EPOLLIN)


def handed_on(item):
    (reader, writer), (one, other) = BEFORE
    os.write(writer, str(item).encode())
    come = LISTENS.poll(0) == [(reader, select.EPOLLIN)]
    one.sendall(os.read(reader, 100) * 10)
    item = int(other.recv(1000)[: len(str(item))])
    come += not LISTENS.poll(0)
    fresh, (last, first) = os.pipe(), socket.socketpair()
    os.write(fresh[1], b"x" * item)
    last.sendall(os.read(fresh[0], 1000))
    last.close()
    size = 0
    while part := first.recv(10):
        size += len(part)
    first.close()
    for end in fresh:
        os.close(end)
    return size, come


async def each(function, items):
    loop, results = asyncio.get_running_loop(), []
    for item in items:
        done = asyncio.Event()
        loop.call_soon_threadsafe(done.set)
        await done.wait()
        size, come = handed_on(item)
        results.append((come, function(size)))
    return results
# file: main.py
import asyncio
import sys

sys.path.append("lib")
import hands
import work

print(asyncio.run(hands.each(work.nap, range(1, 41))))
