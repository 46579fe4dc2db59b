"""The section [engine]: where replicas live."""

from __future__ import annotations

import re

from cord.plan.document import key_text
from cord.plan.engine_plan import EnginePlan
from cord.plan.values import ENGINES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.problems import Problems
    from cord.plan.validate import Section

# Agents may run beside a program that srun has started too; one that is lost, or does not join,
# leaves the others alone, whatever a site has set for the tasks of a step.
_SRUN = "srun --overlap --no-kill --kill-on-bad-exit=0 --wait=0"
# Commands that start an agent on each node of what they are usually used in.
PRESETS = {"mpi": "mpiexec -n {n} {agent}", "slurm": f"{_SRUN} -n {{n}} {{agent}}"}
# What a client of standing agents must say.
_OF_STANDING = {
    "hosts": 'hosts = ["10.0.0.5:7420"]',
    "keys": 'keys = "~/.cord/client.key"',
    "name": 'name = "search"',
}
_COMMANDS = ("command", *PRESETS)
_CLUSTERS = ("ray", "dask")
_CONNECTING = (*_COMMANDS, "hq", *_CLUSTERS)
_HOSTS = ("ssh", "standing")
# A host with a port, but for a name with a scheme, or an address of IPv6.
_PORT_BEHIND = re.compile(r"[^:/]+:\d+")
# Which keys have a meaning for which kinds.
_OF_KINDS = {
    "hosts": _HOSTS,
    "keys": ("standing",),
    "name": ("standing",),
    "python": ("ssh", *_CONNECTING, "kubernetes"),
    "launch": _COMMANDS,
    "address": ("standing", *_CLUSTERS),
    "nodes": (*_CONNECTING, "kubernetes"),
    "cores": (*_CLUSTERS, "kubernetes"),
    "image": ("kubernetes",),
    "resources": ("ray", "kubernetes"),
    "listen": _CONNECTING,
    "reconnect": ("standing", *_CONNECTING),
}


def engine_of(section: Section | None, problems: Problems) -> EnginePlan:
    """The plan that the right values make; it is used only if nothing was wrong.

    Args:
        section: What is written; None for nothing.
        problems: Where reports go.
    """
    if section is None:
        return EnginePlan()
    values = dict(section.values)
    if "kind" in section.entry.value and "kind" not in values:
        return EnginePlan()  # it is none, and nobody knows what the other keys are to mean
    kind = values.get("kind", "local")
    for key in section.values:
        kinds = ("local",) if kind == "local" else _OF_KINDS.get(key, (kind,))
        if key != "kind" and (kind == "local" or kind not in kinds):
            named = " or ".join(f'"{one}"' for one in _OF_KINDS.get(key, ENGINES[1:]))
            problems.add(
                section.entry_of(key).key_place,
                f"{key_text((*section.path, key))} has no meaning where kind is "
                f'"{kind}"; allowed with {named}',
            )
    if kind == "dask" and "cores" in values and values.get("address", "local") != "local":
        problems.add(
            section.entry_of("cores").key_place,
            f"{key_text((*section.path, 'cores'))} has no meaning where workers are there already",
            "an agent has as many cores as its worker has threads",
        )
    if "files" in values and kind != "local" and values.get("code") != "send":
        problems.add(
            section.entry_of("files").key_place,
            f"{key_text((*section.path, 'files'))} has no meaning where nodes see all files",
            'set engine.code = "send" where they do not',
        )
    if section.sound and kind == "ssh" and "hosts" not in values:
        _lack(section, problems, "hosts", kind, 'hosts = ["node1", "node2"]')
    for host in values.get("hosts", ()) if kind == "ssh" else ():
        if _PORT_BEHIND.fullmatch(host):
            problems.add(
                section.entry_of("hosts").place,
                f'"{host}" in {key_text((*section.path, "hosts"))} has a port, as ssh takes none',
                f'write "ssh://{host}"',
            )
    if section.sound and kind == "standing":
        _check_standing(section, problems)
    if section.sound and kind == "kubernetes" and "image" not in values:
        _lack(section, problems, "image", kind, 'image = "registry.local/me/cord:1"')
    if kind == "kubernetes":
        values.setdefault("python", "python3")  # no path of this machine's is one of the image's
    if kind in PRESETS:
        values.setdefault("launch", PRESETS[kind])
    if section.sound and kind == "command" and "launch" not in values:
        _lack(section, problems, "launch", "command", 'launch = "srun -n {n} {agent}"')
    return EnginePlan(**values)


def _check_standing(section: Section, problems: Problems) -> None:
    address = section.values.get("address")
    for key, example in _OF_STANDING.items():
        if key == "name" or address is None:
            if key not in section.values:
                _lack(section, problems, key, "standing", example)
        elif key in section.values:
            problems.add(
                section.entry_of(key).key_place,
                f"{key_text((*section.path, key))} has no meaning where Ray tells it",
                "engine.address names the cluster that knows the agent by its name",
            )
    if address == "local":
        problems.add(
            section.entry_of("address").place,
            "nobody stands in a cluster that is started for the run",
            'engine.address = "auto" is the cluster that Ray finds',
        )


def _lack(section: Section, problems: Problems, key: str, kind: str, example: str) -> None:
    message = f'engine.kind is "{kind}", but there is no engine.{key}'
    problems.add(section.entry_of("kind").place, message, f"write for instance {example}")
