"""Start an agent on each node of a network of namespaces: what stands for ssh, srun and the like.

Its words are the network's folder, the number of nodes, and the agent's command.
"""

import json
import os
import socket
import sys

folder, nodes, *command = sys.argv[1:]
for number in range(2, 2 + int(nodes)):
    with socket.socket(socket.AF_UNIX) as node:
        node.connect(f"{folder}/node{number}")
        wanted = {"command": command, "environment": dict(os.environ), "folder": os.getcwd()}
        node.sendall(json.dumps(wanted).encode())
