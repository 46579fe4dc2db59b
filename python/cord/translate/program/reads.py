"""What text relies on, and that it may have an effect."""

from __future__ import annotations

from cord.source.records import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.translate.sites.project import Meaning

FunctionId = tuple[str, str]


class LoudError(Exception):
    """Text that may have an effect, or of which nothing is known.

    Attributes:
        line: Where it stands.
        what: What stands there, as part of a sentence.
        callee: What is called there, if it is a function that may be there to compute something.
    """

    def __init__(self, line: int, what: str, callee: str | None = None) -> None:
        super().__init__(line, what)
        self.line = line
        self.what = what
        self.callee = callee


@dataclass(slots=True)
class Reads:
    """What text relies on, and what it does to variables.

    Attributes:
        names: The local variables that it reads.
        paths: What it reads of modules: each a module of the project, and a path in it.
        callees: What it calls: a module, a path in it, and the meaning that this must have.
        methods: The names of the project's methods that it calls.
        attributes: The names of the attributes that it reads.
        functions: The functions of the project that it calls or passes on.
        assigned: The variables that it binds.
        changed: The variables whose containers it changes.
        changes: It may change other containers that it has not made.
        heavy: It takes its time.
    """

    names: set[str] = field(default_factory=set)
    paths: set[tuple[str, str]] = field(default_factory=set)
    callees: set[tuple[str, str, Meaning]] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    functions: set[FunctionId] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    changes: bool = False
    heavy: bool = False

    def add(self, other: Reads) -> None:
        """Adds what other text relies on, in the same frame."""
        self.names |= other.names
        self.assigned |= other.assigned
        self.changed |= other.changed
        self.add_called(other)

    def without(self, fresh: set[str]) -> Reads:
        """The same where some variables are bound before they are read."""
        return replace(self, names=self.names - fresh, changed=self.changed - fresh)

    def add_called(self, other: Reads) -> None:
        """Adds what a function relies on that the text calls."""
        self.paths |= other.paths
        self.callees |= other.callees
        self.methods |= other.methods
        self.attributes |= other.attributes
        self.functions |= other.functions
        self.changes = self.changes or other.changes
        self.heavy = self.heavy or other.heavy
