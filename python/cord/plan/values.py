"""Readers of single values: what a key accepts, and what it makes of it.

A reader gets the entry and a `Refuse` to report through, and returns the value, or None after
reporting. It reports every wrong element of a list, not only the first.
"""

from __future__ import annotations

import builtins

from cord.plan.document import found, key_text
from cord.plan.problems import did_you_mean
from cord.plan.words import AUTO, FRESH, MAX_REPLICAS, NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.plan.document import Entry
    from cord.plan.problems import Problems

    Reader = Callable[[Entry, "Refuse"], object]

MAX_THREADS = 1024
THREADS = ("auto", "all")
TRANSPORTS = ("auto", "shm", "unix", "tcp")
SPECULATION = ("likely", "exact", "off")
ENGINES = ("local", "ssh", "standing", "command", "mpi", "slurm", "hq", "ray", "dask", "kubernetes")
CPU = ("same", "baseline", "any")
CODE = ("shared", "send")
MAX_NODES = 1024
MOST_PERCENT = 100
LONGEST = 3600.0
# The least that Ray can tell from nothing, and the most of one thing that a node may have.
LEAST_RESOURCE, MOST_RESOURCE = 0.0001, 10**9
# What Ray gives out under these names is asked for otherwise, or not at all.
_NO_RESOURCES = {
    "CPU": "engine.cores says how many cores an agent has",
    "memory": "Ray holds nobody to it; engine.cores says how much of a node an agent has",
    "object_store_memory": "agents keep nothing in Ray's store",
}

_NO_SIGNS = str.maketrans("_.-", "aaa")


class Refuse:
    """Reports wrong values of one key.

    Args:
        problems: Where the reports go.
        path: The key.
        allowed: What the key accepts, as a phrase.
    """

    def __init__(self, problems: Problems, path: tuple[str, ...], allowed: str) -> None:
        self._problems = problems
        self._path = path
        self._key = key_text(path)
        self._allowed = allowed

    def value(self, entry: Entry, hint: str | None = None) -> None:
        """The value is wrong as a whole."""
        self._add(entry, f"{self._key} is {found(entry)}; allowed: {self._allowed}", hint)

    def later(self, entry: Entry) -> None:
        """The value is one that Cord knows but does not honour."""
        message = f"{self._key} is {found(entry)}, which is not supported yet"
        self._add(entry, f"{message}; allowed: {self._allowed}", None)

    def element(self, entry: Entry, number: int, hint: str | None = None) -> None:
        """The element at position `number`, from 1, of a list is wrong."""
        message = f"item {number} of {self._key} is {found(entry)}; the key takes {self._allowed}"
        self._add(entry, message, hint)

    def member(self, entry: Entry, name: str, hint: str | None = None) -> None:
        """What the name has in a table is wrong."""
        key = key_text((*self._path, name))
        self._add(entry, f"{key} is {found(entry)}; the key takes {self._allowed}", hint)

    def _add(self, entry: Entry, message: str, hint: str | None) -> None:
        self._problems.add(entry.place, message, hint)


def replicas(entry: Entry, refuse: Refuse) -> int | str | tuple[str, ...] | None:
    """A number of processes, the word for one on each core, or a name for each."""
    if entry.kind == "array":
        return _replica_names(entry, refuse)
    if entry.kind == "string" and entry.value == AUTO:
        return AUTO
    if entry.kind == "string" and entry.value.isdecimal():
        refuse.value(entry, f"write {entry.value} without quotes")
    elif entry.kind == "string":
        refuse.value(entry, did_you_mean(entry.value, (AUTO,)))
    elif entry.kind != "integer" or not 1 <= entry.value <= MAX_REPLICAS:
        refuse.value(entry)
    else:
        return int(entry.value)
    return None


def threads(entry: Entry, refuse: Refuse) -> int | None:
    """A number of threads."""
    if entry.kind == "integer" and 1 <= entry.value <= MAX_THREADS:
        return int(entry.value)
    is_number = entry.kind == "string" and entry.value.isdecimal()
    refuse.value(entry, f"write {entry.value} without quotes" if is_number else None)
    return None


def _replica_names(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    if not 1 <= len(entry.value) <= MAX_REPLICAS:
        refuse.value(entry)
        return None
    known: set[str] = set()
    for number, element in enumerate(entry.value, 1):
        name = element.value if element.kind == "string" else ""
        if not _is_host(name):
            refuse.element(element, number, "a name is made of letters, digits, _, . and -")
        elif name in known:
            refuse.element(element, number, f"{name} is there twice")
        else:
            known.add(name)
    return (
        tuple(element.value for element in entry.value) if len(known) == len(entry.value) else None
    )


def _is_host(name: str) -> bool:
    return name[:1] not in ("", ".", "-") and name.translate(_NO_SIGNS).isalnum()


def _word(entry: Entry, refuse: Refuse, words: tuple[str, ...]) -> str | None:
    if entry.kind == "string" and entry.value in words:
        return str(entry.value)
    refuse.value(entry, did_you_mean(entry.value, words) if entry.kind == "string" else None)
    return None


def transport(entry: Entry, refuse: Refuse) -> str | None:
    """The name of a transport."""
    return _word(entry, refuse, TRANSPORTS)


def restart(entry: Entry, refuse: Refuse) -> str | None:
    """Whether calls go on in a fresh replica."""
    return _word(entry, refuse, (NEVER, FRESH))


def speculation(entry: Entry, refuse: Refuse) -> str | None:
    """What copies of the program may issue."""
    return _word(entry, refuse, SPECULATION)


def percentage(entry: Entry, refuse: Refuse) -> float | None:
    """A part of a hundred, as a number or as text with a sign; `false` for nothing of it.

    `"all"` is infinite: there is no bound.
    """
    text = entry.value.strip().removesuffix("%").rstrip() if entry.kind == "string" else entry.value
    if entry.kind == "boolean" and not entry.value:
        return 0.0
    if text == "all":
        return float("inf")
    try:
        part = None if entry.kind not in ("string", "integer", "float") else float(text)
    except ValueError:
        part = None
    if part is None or not 0 <= part <= MOST_PERCENT:
        is_true = entry.kind == "boolean"
        refuse.value(entry, "leave the key out to have the default" if is_true else None)
        return None
    return part


def engine_kind(entry: Entry, refuse: Refuse) -> str | None:
    """Where replicas live."""
    return _word(entry, refuse, ENGINES)


def cpu(entry: Entry, refuse: Refuse) -> str | None:
    """Whether processors must be alike."""
    return _word(entry, refuse, CPU)


def code(entry: Entry, refuse: Refuse) -> str | None:
    """How nodes come by the program's files."""
    return _word(entry, refuse, CODE)


def file_patterns(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    """Patterns of files in the program's folder."""
    patterns = texts(entry, refuse)
    for pattern in patterns or ():
        if pattern.startswith("/") or ".." in pattern.split("/"):
            refuse.value(entry, "files are named from the program's folder on, and lie in it")
            return None
    return patterns


def text(entry: Entry, refuse: Refuse) -> str | None:
    """Any text but an empty one."""
    if entry.kind == "string" and entry.value:
        return str(entry.value)
    refuse.value(entry)
    return None


def texts(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    """A list of texts, none of them empty, none there twice."""
    return _list_of(bool, entry, refuse)


def launch(entry: Entry, refuse: Refuse) -> str | None:
    """A command in which an agent's stands."""
    command = text(entry, refuse)
    if command is not None and "{agent}" not in command:
        refuse.value(entry, "write {agent} where the agent's own command is to stand")
        return None
    return command


def nodes(entry: Entry, refuse: Refuse) -> int | None:
    """A number of agents, or of cores for each."""
    if entry.kind == "integer" and 1 <= entry.value <= MAX_NODES:
        return int(entry.value)
    refuse.value(entry)
    return None


def resources(entry: Entry, refuse: Refuse) -> dict[str, float] | None:
    """How much there is of things that Ray counts, by their names."""
    if entry.kind != "table":
        refuse.value(entry)
        return None
    amounts: dict[str, float] = {}
    for name, item in entry.value.items():
        hint = _NO_RESOURCES.get(name)
        if hint is not None or not _is_amount(item):
            refuse.member(item, name, hint)
        else:
            amounts[name] = int(item.value) if item.value >= 1 else item.value
    return amounts if len(amounts) == len(entry.value) else None


def _is_amount(entry: Entry) -> bool:
    if entry.kind not in ("integer", "float"):
        return False
    amount = float(entry.value)
    return LEAST_RESOURCE <= amount < 1 or (1 <= amount <= MOST_RESOURCE and amount.is_integer())


def seconds(entry: Entry, refuse: Refuse) -> float | None:
    """A time."""
    if entry.kind in ("integer", "float") and 0 <= entry.value <= LONGEST:
        return float(entry.value)
    refuse.value(entry)
    return None


def speeds(entry: Entry, refuse: Refuse) -> tuple[float, ...] | None:
    """A number for each replica."""
    if entry.kind != "array" or not entry.value:
        refuse.value(entry)
        return None
    right = True
    for number, element in enumerate(entry.value, 1):
        is_number = element.kind in ("integer", "float")
        if not is_number or not 1e-9 <= element.value <= 1e9:
            refuse.element(element, number)
            right = False
    return tuple(float(element.value) for element in entry.value) if right else None


def blas_threads(entry: Entry, refuse: Refuse) -> int | str | None:
    """A number of threads, or a word that stands for one."""
    if entry.kind == "string" and entry.value in THREADS:
        return str(entry.value)
    if entry.kind == "string" and entry.value.isdecimal():
        refuse.value(entry, f"write {entry.value} without quotes")
    elif entry.kind == "string":
        refuse.value(entry, did_you_mean(entry.value, THREADS))
    elif entry.kind != "integer" or not 1 <= entry.value <= MAX_THREADS:
        refuse.value(entry)
    else:
        return int(entry.value)
    return None


def boolean(entry: Entry, refuse: Refuse) -> bool | None:
    """`true` or `false`."""
    if entry.kind == "boolean":
        return bool(entry.value)
    word = entry.value.lower() if entry.kind == "string" else ""
    refuse.value(entry, f"write {word} without quotes" if word in ("true", "false") else None)
    return None


def names(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    """A list of one or more names of functions, or of methods as `Class.name`."""
    if entry.kind == "array" and not entry.value:
        refuse.value(entry, "leave the key out to have every public function")
        return None
    return _list_of(is_dotted_name, entry, refuse)


def assumed_names(entry: Entry, refuse: Refuse) -> tuple[str, ...] | None:
    """A list of dotted names, and of names of builtins."""
    found = _list_of(is_dotted_name, entry, refuse)
    if found is None:
        return None
    for number, element in enumerate(entry.value, 1):
        name = element.value
        if "." not in name and not hasattr(builtins, name):
            hint = f"name it with the module that defines it, such as search.{name}"
            refuse.element(element, number, hint)
            found = None
    return found


def is_dotted_name(text: str) -> bool:
    """Whether `text` is one identifier, or several joined by dots."""
    return all(part.isidentifier() for part in text.split("."))


def _list_of(
    accepts: Callable[[str], bool], entry: Entry, refuse: Refuse
) -> tuple[str, ...] | None:
    if entry.kind != "array":
        name = entry.value if entry.kind == "string" and accepts(entry.value) else None
        refuse.value(entry, f'write ["{name}"]' if name else None)
        return None
    right = True
    for number, element in enumerate(entry.value, 1):
        if element.kind != "string" or not accepts(element.value):
            refuse.element(element, number)
            right = False
    # A name given twice says nothing more than given once.
    return tuple(dict.fromkeys(element.value for element in entry.value)) if right else None
