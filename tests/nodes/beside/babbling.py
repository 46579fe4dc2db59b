"""Talk to the gateway as nobody should, then start an agent."""

import os
import socket
import subprocess
import sys

host, _, port = sys.argv[sys.argv.index("--connect") + 1].rpartition(":")
for said in (b"", b"GET / HTTP/1.1\r\nHost: cord\r\n\r\n", os.urandom(5000), b"\x16\x03\x01\x00\x05hello"):
    with socket.create_connection((host, int(port))) as talks:
        talks.sendall(said)
        talks.settimeout(0.2)
        try:
            talks.recv(100)
        except OSError:
            pass
silent = socket.create_connection((host, int(port)))
sys.exit(subprocess.call(sys.argv[1:]))
