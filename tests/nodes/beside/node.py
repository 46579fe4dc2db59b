"""Be the first process of a node: bring its network up, then start whatever is asked for.

The network is a TUN device, which is handed to the process that stands for the cables. What is asked
for comes over a socket of the folder, as JSON.
"""

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
folder, number = sys.argv[1:]

device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"net0", IFF_TUN | IFF_NO_PI))
for words in (
    "link set dev lo up",
    f"addr add 10.77.0.{number}/24 dev net0",
    "link set dev net0 mtu 16000 up",
):
    subprocess.run(["ip", *words.split()], check=True)
socket.sethostname(f"node{number}")
listener = socket.socket(socket.AF_UNIX)
listener.bind(f"{folder}/node{number}")
listener.listen()
cables = socket.socket(socket.AF_UNIX)
cables.connect(f"{folder}/network")
socket.send_fds(cables, [number.encode()], [device])
os.close(device)
signal.signal(signal.SIGINT, signal.SIG_IGN)
listener.settimeout(0.1)
while True:
    try:
        asks, _ = listener.accept()
    except TimeoutError:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        continue
    with asks, asks.makefile() as file:
        wanted = json.load(file)
    subprocess.Popen(
        wanted["command"],
        env=wanted["environment"],
        cwd=wanted["folder"],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
