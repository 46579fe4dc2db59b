"""The keys of [engine]."""

from __future__ import annotations

from cord.plan import values
from cord.plan.keys import Key, Table

ENGINE = Table(
    "[engine]",
    Key(
        "kind",
        "Where replicas live: on this machine, or on nodes that agents serve, and how those start.",
        allowed='"local", "ssh", "standing", "command", "mpi", "slurm", "hq", "ray", '
        '"dask" or "kubernetes"',
        default='"local"',
        read=values.engine_kind,
    ),
    Key(
        "hosts",
        "The nodes that ssh leads to, one agent on each, or where agents stand.",
        allowed="a list of hosts as ssh knows them, such as "
        '["node1", "ssh://me@node2:2222"], or of addresses',
        read=values.texts,
    ),
    Key(
        "keys",
        "The file with the key of those agents' clients, which cord keys has made.",
        allowed='a path such as "~/.cord/client.key"',
        read=values.text,
    ),
    Key(
        "name",
        "The name under which those agents serve.",
        allowed='a name such as "search"',
        read=values.text,
    ),
    Key(
        "launch",
        "The command that starts agents; {agent} stands for an agent's command, {n} for how many.",
        allowed='a command with {agent}, such as "srun -n {n} {agent}"',
        read=values.launch,
    ),
    Key(
        "address",
        "Where the scheduler of Ray or Dask is; without it, the one that Ray finds, or a new one.",
        allowed='an address such as "10.0.0.1:6379", "auto" or "local"',
        read=values.text,
    ),
    Key(
        "nodes",
        "How many agents are started.",
        allowed=f"a whole number from 1 to {values.MAX_NODES}",
        default="1",
        read=values.nodes,
    ),
    Key(
        "cores",
        "How many cores each agent has.",
        allowed=f"a whole number from 1 to {values.MAX_NODES}",
        default="1",
        read=values.nodes,
    ),
    Key(
        "image",
        "The container image of Kubernetes' pods, in which Python and Cord are installed.",
        allowed='an image such as "registry.local/me/cord:1"',
        read=values.text,
    ),
    Key(
        "resources",
        "What else each agent is given of what a cluster of Ray or Kubernetes has.",
        allowed="a table of whole numbers, or numbers below 1, such as { GPU = 1 }",
        default="{}",
        read=values.resources,
    ),
    Key(
        "python",
        "The interpreter on the nodes; without it, that of the program under its path here.",
        allowed='a path such as "/opt/env/bin/python"',
        read=values.text,
    ),
    Key(
        "listen",
        "The address of this machine to which agents connect; without it, one that seems right.",
        allowed='a host or host:port such as "10.0.0.1" or "0.0.0.0:7000"',
        read=values.text,
    ),
    Key(
        "cpu",
        "Whether nodes must have all features of this machine's processor, and no others.",
        allowed='"same", "baseline" or "any"',
        default='"same"',
        read=values.cpu,
    ),
    Key(
        "reconnect",
        "How many seconds a node whose link is cut may take to come back.",
        allowed="a number from 0 to 3600",
        default="10",
        read=values.seconds,
    ),
    Key(
        "wait",
        "How many seconds agents may take to join before the program starts.",
        allowed="a number from 0 to 3600",
        default="60",
        read=values.seconds,
    ),
    Key(
        "code",
        "How nodes come by the program's files: they see them, or they are sent them.",
        allowed='"shared" or "send"',
        default='"shared"',
        read=values.code,
    ),
    Key(
        "files",
        "Which files are sent besides modules, as patterns under the program's folder.",
        allowed='a list of patterns such as ["data/*.json"]',
        default="[]",
        read=values.file_patterns,
    ),
)
