"""What a run needs of a project's translation: plain data, and code with marks in it.

Nothing here needs `ast`, and every result is made from values that `marshal` can write: a run whose
results were kept by an earlier one does without the rest of this folder.
"""

from __future__ import annotations

from cord.fixed import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from types import CodeType

MAIN = "__main__"

# Starts the string constants that stand for native objects; `code.patch` puts those in their place.
MARK = "\0cord:"


class Remote(Value):
    """A remote module as the translator sees it.

    Attributes:
        functions: The names that are remote.
        ahead: Those that may be called ahead of time.
        given: Those that may be given results of others without the client's seeing them.
        independent: Those of `ahead` that have effects: only where the call is certain.
        late: Those whose values may be received later than where the call stands.
        methods: Those of the functions that are methods, as `Class.name`.
    """

    functions: Container[str]
    ahead: Container[str]
    given: Container[str] = ()
    independent: Container[str] = frozenset()
    late: Container[str] = ()
    methods: Sequence[str] = ()

    @property
    def has_independent(self) -> bool:
        """Whether there may be any of `independent`."""
        return self.independent != frozenset()


class SiteResult(Value):
    """A call site.

    Attributes:
        module: The module of what is called, "" where that shows at run time.
        region: Number of the region in which it stands.
        dynamic: Whether what is called shows only at run time.
        passes: Whether its result is only passed on, as an argument of remote functions.
    """

    module: str
    region: int
    dynamic: bool
    passes: bool


class LateResult(Value):
    """What must hold for a value to be received late, and what is to be taken back if none comes.

    Attributes:
        names: The variables that the text reads which runs meanwhile.
        paths: What it reads of modules: each a module and a path in it.
        callees: What it calls: module, path, and what that must be ("builtin", "library" or
            "project", and by which name; a function of the project's has its module before it).
        methods: The names of methods that it calls, with the functions which these may be.
        attributes: The names of attributes that it reads.
        assigned: The variables that it binds.
        changed: The variables whose containers it changes.
        changes: Whether it may change other containers.
        targets: The variables that get the value.
        unpacked: Into how many variables it is unpacked, 0 if it is not.
        holder: The variable that the value is added or appended to, "" if it is not.
        appended: Whether it is appended.
        in_module: Whether the variables are a module's.
    """

    names: tuple[str, ...]
    paths: tuple[tuple[str, str], ...]
    callees: tuple[tuple[str, str, str, str, str], ...]
    methods: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    attributes: tuple[str, ...]
    assigned: tuple[str, ...]
    changed: tuple[str, ...]
    changes: bool
    targets: tuple[str, ...]
    unpacked: int
    holder: str
    appended: bool
    in_module: bool


class RegionResult(Value):
    """A region.

    Attributes:
        kind: "module", "generator" (an expression) or "function".
        line: The line on which it starts.
        key: Its function's key, if a scout may enter that.
        hands_over: Whether calls in it may have been scouted by its caller.
    """

    kind: str
    line: int
    key: str | None
    hands_over: bool


class FunctionResult(Value):
    """A function that a scout passes on.

    Attributes:
        key: Its key in its module.
        captured: The variables of functions around that it reads.
        defaults: How many of its positional parameters have a default.
        named: Its keyword-only parameters that have one.
        own: The name that its `def` gives it; None for a lambda.
    """

    key: str
    captured: tuple[str, ...]
    defaults: int
    named: tuple[str, ...]
    own: str | None


class ScoutResult:
    """A scout, compiled.

    Attributes:
        code: The code of its generator function, marks still in it.
        names: Its parameters after the state, names of the frame in which it is born.
        loops: Numbers of the loops it goes on with; their iterators are its last parameters.
        copied: Those names whose objects it changes, so that it must have copies.
        returns: Whether it gives what the region returns.
        calls: Whether it makes remote calls.
        passed: Calls (site numbers) that it leaves, at least sometimes, to the program.
        functions: The functions that it passes on, by key.
    """

    def __init__(
        self,
        code: CodeType,
        names: tuple[str, ...],
        loops: tuple[int, ...],
        copied: tuple[str, ...],
        returns: bool,
        calls: bool,
        passed: tuple[int, ...],
        functions: list[tuple[str, tuple[str, ...], int, tuple[str, ...], str | None]],
    ) -> None:
        self.code = code
        self.names = names
        self.loops = loops
        self.copied = copied
        self.returns = returns
        self.calls = calls
        self.passed = passed
        self.functions = {one[0]: FunctionResult(*one) for one in functions}
