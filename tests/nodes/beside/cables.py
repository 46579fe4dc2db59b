"""Be the cables between nodes: packets arrive some time later, and some do not.

Its words are the delay in seconds, the part of packets that is lost, and a seed; then, for each node,
its number and the descriptor of its device. Standard input has orders: "cut 2" parts node 2 from all
others, "mend 2" ends that.
"""

import os
import random
import select
import sys
import time
from collections import deque

delay, loss, seed = (float(word) for word in sys.argv[1:4])
devices = dict(tuple(map(int, word.split(":"))) for word in sys.argv[4:])
numbers = {device: number for number, device in devices.items()}
dice = random.Random(seed)
parted: set[int] = set()
on_their_way: deque[tuple[float, int, bytes]] = deque()
orders = b""
os.set_blocking(0, False)
poll = select.poll()
for device in [0, *devices.values()]:
    poll.register(device, select.POLLIN)


def obey(line: bytes) -> None:
    what, number = line.split()
    (parted.add if what == b"cut" else parted.discard)(int(number))


def take_from(device: int) -> None:
    for _ in range(64):
        try:
            packet = os.read(device, 65536)
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno == 5:  # the interface is down
                return
            poll.unregister(device)  # the node is no more
            return
        target = packet[19] if packet[0] >> 4 == 4 else 0
        if target in devices and numbers[device] not in parted and dice.random() >= loss:
            on_their_way.append((time.monotonic() + delay, target, packet))


while True:
    longest = None
    if on_their_way:
        longest = max(0.0, on_their_way[0][0] - time.monotonic()) * 1000
    for device, _ in poll.poll(longest):
        if device != 0:
            take_from(device)
            continue
        got = os.read(0, 4096)
        if not got:
            sys.exit()
        *lines, orders = (orders + got).split(b"\n")
        for line in lines:
            obey(line)
    now = time.monotonic()
    while on_their_way and on_their_way[0][0] <= now:
        _, target, packet = on_their_way.popleft()
        if target not in parted:
            try:
                os.write(devices[target], packet)
            except OSError:
                pass
