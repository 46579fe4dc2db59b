# What the program hears while it awaits a call, it hears before the next, where code of its own is told of it.
# file: work.py
import asyncio


async def get(n, seconds=0.005):
    await asyncio.sleep(seconds)
    return n * 2


# file: main.py
import asyncio
import os
import socket

import work


class Listener(asyncio.Protocol):
    def data_received(self, data):
        print("heard", data)


async def main():
    reader, writer = os.pipe()
    loop, heard = asyncio.get_running_loop(), []
    loop.add_reader(reader, lambda: heard.append(os.read(reader, 9)))
    for n in range(5):
        os.write(writer, b"%d" % n)
        print(await work.get(n), heard)
    loop.remove_reader(reader)
    one, other = socket.socketpair()
    transport, _ = await loop.create_connection(Listener, sock=one)
    for n in range(5):
        other.send(b"%d" % n)
        print(await work.get(n))
    transport.close()
    await asyncio.sleep(0)


asyncio.run(main())
