"""What a valid plan says, as plain objects.

Written by hand rather than with `dataclasses`, whose import alone takes longer than reading a plan.
"""

from __future__ import annotations


class _Value:
    """Compares and prints by its slots, which are set once."""

    __slots__: tuple[str, ...] = ()

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, fields: dict[str, object]) -> None:
        self._set(**fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a plan does not change: {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


class FunctionPlan(_Value):
    """How one remote function is called.

    Attributes:
        name: The function's name in its module.
        callstyle: "sync" or "async".
        pure: Whether calls may be started early, repeated, or run in vain.
    """

    __slots__ = ("callstyle", "name", "pure")
    name: str
    callstyle: str
    pure: bool

    def __init__(self, name: str, callstyle: str, pure: bool) -> None:
        self._set(name=name, callstyle=callstyle, pure=pure)


class RemotePlan(_Value):
    """How one remote module is served and called.

    Attributes:
        module: The module's dotted name.
        replicas: How many processes serve it, at least 1.
        callstyle: "sync" or "async", for functions without a setting of their own.
        pure: Likewise, whether its functions are pure.
        only: The functions that are remote; None for every public one.
        functions: The functions with settings of their own, resolved.
        blas_threads: How many threads the numerical libraries of a replica use: a number, "auto"
            for its share of the cores, "all" for as many as they like.
        is_program: Whether this is the main script itself.
    """

    __slots__ = (
        "blas_threads",
        "callstyle",
        "functions",
        "is_program",
        "module",
        "only",
        "pure",
        "replicas",
    )
    module: str
    replicas: int
    callstyle: str
    pure: bool
    only: tuple[str, ...] | None
    functions: dict[str, FunctionPlan]
    blas_threads: int | str
    is_program: bool

    def __init__(
        self,
        module: str,
        replicas: int = 1,
        callstyle: str = "sync",
        pure: bool = False,
        only: tuple[str, ...] | None = None,
        functions: dict[str, FunctionPlan] | None = None,
        blas_threads: int | str = "auto",
        is_program: bool = False,
    ) -> None:
        self._set(
            module=module,
            replicas=replicas,
            callstyle=callstyle,
            pure=pure,
            only=only,
            functions=functions or {},
            blas_threads=blas_threads,
            is_program=is_program,
        )

    @property
    def is_pure(self) -> bool:
        """Whether all functions that may be remote are pure."""
        if self.only is not None:
            return all(self.function(name).pure for name in self.only)
        return self.pure and all(own.pure for own in self.functions.values())

    def function(self, name: str) -> FunctionPlan:
        """The settings of the public function `name`, its own ones before the module's."""
        own = self.functions.get(name)
        return own if own is not None else FunctionPlan(name, self.callstyle, self.pure)


class Plan(_Value):
    """A whole valid cord.toml.

    Attributes:
        path: The file it was read from, as messages show it.
        remote: The remote modules by dotted name, in the file's order.
        assume_pure: Dotted names that the user declares free of effects.
    """

    __slots__ = ("assume_pure", "path", "remote")
    path: str
    remote: dict[str, RemotePlan]
    assume_pure: frozenset[str]

    def __init__(
        self, path: str, remote: dict[str, RemotePlan], assume_pure: frozenset[str]
    ) -> None:
        self._set(path=path, remote=remote, assume_pure=assume_pure)

    @property
    def replicas(self) -> int:
        """How many processes serve, all remote modules together."""
        return sum(remote.replicas for remote in self.remote.values())
