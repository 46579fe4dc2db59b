"""How exceptions travel: always so, whatever the codec of values is."""

from __future__ import annotations

import sys
from _pickle import dumps, loads

from cord._core import arguments_of_call
from cord.errors import EncodeError
from cord.runtime.travel import exceptions, tracebacks

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    from cord.runtime.travel.paths import Way
    from cord.runtime.travel.tracebacks import Frame

    _Ways = dict[int, Way] | None
    _Given = tuple[tuple[Any, ...], dict[str, Any] | None, Any] | None


class _Node:
    """One exception of a chain, as data; fields hold bytes, text, numbers and indexes of nodes."""

    __slots__ = (
        "cause",
        "class_name",
        "context",
        "custom",
        "frames",
        "given",
        "group",
        "notes",
        "number",
        "own",
        "pickled_class",
        "state",
        "suppress",
        "text",
    )

    def __init__(self, exc: BaseException, outward: bool, ways: _Ways) -> None:
        cls = type(exc)
        self.class_name = f"{cls.__module__}.{cls.__qualname__}"
        self.text = exceptions.printed(exc)
        self.number = 0 if outward else exceptions.number_of(exc)
        self.pickled_class = exceptions.class_of(exc, outward)
        self.custom = None if outward else exceptions.custom_pickle(exc)
        self.state = exceptions.state_of(exc, outward) if self.custom is None else None
        self.frames: list[Frame] = tracebacks.frames_of(exc.__traceback__)
        if isinstance(exc, NameError):
            self.frames = tracebacks.with_local_names(
                self.frames, exc.__traceback__, exc.name or ""
            )
        self.notes: list[str] | None = getattr(exc, "__notes__", None)
        self.suppress = exc.__suppress_context__
        self.own = ways.get(id(exc)) if ways else None
        self.given = (
            tuple(
                (place, ways[id(part)])
                for place, part in exceptions.parts_of(exc).items()
                if id(part) in ways
            )
            if ways
            else ()
        )
        self.group: tuple[str, list[int], bool] | None = None
        self.cause: int | None = None
        self.context: int | None = None


def encode_exception(exc: BaseException, *, outward: bool = False, ways: _Ways = None) -> bytes:
    """Encode an exception with its whole chain: causes, contexts, members, notes, tracebacks.

    Frames of Cord's own are left out, and so are the values of locals.

    Args:
        exc: The exception, any `BaseException`.
        outward: It goes to a replica, which may lack what the program has.
        ways: By their ids, the ways to objects from the arguments of the call that has raised it.

    Returns:
        What `decode_exception` takes.
    """
    found = [exc]
    index = {id(exc): 0}

    def index_of(other: BaseException | None) -> int | None:
        if other is None:
            return None
        if id(other) not in index:
            index[id(other)] = len(found)
            found.append(other)
        return index[id(other)]

    nodes = []
    for each in found:  # grows while the chain is followed
        node = _Node(each, outward, ways)
        node.cause = index_of(each.__cause__)
        node.context = index_of(each.__context__)
        if isinstance(each, BaseExceptionGroup) and node.custom is None:
            members = [index_of(member) or 0 for member in each.exceptions]
            node.group = (each.message, members, exceptions.members_are_argument(each))
        nodes.append(tuple(getattr(node, name) for name in _Node.__slots__))
    return dumps(nodes, 5)


def parts_in_chain(exc: BaseException) -> list[Any]:
    """An exception and all that it leads to, with what they hold."""
    found = [exc]
    seen = {id(exc)}
    parts: list[Any] = []
    for each in found:  # grows while the chain is followed
        parts.append(each)
        parts += exceptions.parts_of(each).values()
        members = each.exceptions if isinstance(each, BaseExceptionGroup) else ()
        for other in (each.__cause__, each.__context__, *members):
            if other is not None and id(other) not in seen:
                seen.add(id(other))
                found.append(other)
    return parts


def decode_exception(head: bytes | memoryview) -> BaseException:
    """Decode an exception, ready to be raised: its traceback begins with the remote frames.

    If this is called while another exception is being handled, that one ends the chain of
    contexts, as it would for a local call. Raise the result without changing its context, that
    is from native code: a `raise` statement would cut the chain.

    Args:
        head: What `encode_exception` returned.

    Returns:
        The exception; an `EncodeError` that describes it if its class cannot be found here.
    """
    handled = sys.exception()
    nodes = [_node(fields) for fields in loads(head)]
    given = arguments_of_call() if any(node.own or node.given for node in nodes) else None
    built = _own(nodes, given)
    for number, node in enumerate(nodes):
        exc = _build(number, nodes, built)
        before = exc.__traceback__ if node.own else None
        BaseException.with_traceback(exc, tracebacks.rebuild(node.frames, before))
    for number, node in enumerate(nodes):
        exc = built[number]
        # Through the descriptors of the base: a frozen dataclass refuses to be assigned to.
        if node.cause is not None:
            BaseException.__cause__.__set__(exc, built[node.cause])  # type: ignore[union-attr]
        if node.context is not None:
            BaseException.__context__.__set__(exc, built[node.context])  # type: ignore[union-attr]
        BaseException.__suppress_context__.__set__(exc, node.suppress)  # type: ignore[attr-defined]
    _give(nodes, built, given)
    first = built[0]
    continue_context(first, handled)
    try:
        return first
    finally:  # the frames of stand-ins may keep this one, which is to keep nothing of the exception
        del first, exc, built, nodes, node, handled, given, before


def _own(nodes: list[_Node], given: _Given) -> dict[int, BaseException]:
    """Those of the exceptions that are the program's own."""
    return {
        number: _followed(given, node.own)
        for number, node in enumerate(nodes)
        if given is not None and node.own
    }


def _give(nodes: list[_Node], built: dict[int, BaseException], given: _Given) -> None:
    """Let exceptions have the program's own objects, where its arguments are at hand."""
    for number, node in enumerate(nodes):
        if given is not None and node.given:
            parts = {place: _followed(given, way) for place, way in node.given}
            exceptions.put(built[number], parts)


def _followed(given: Any, way: Way) -> Any:
    from cord.runtime.travel.paths import follow  # few exceptions have any

    return follow(given[0], given[1] or {}, way)


def _node(fields: tuple[Any, ...]) -> _Node:
    node = _Node.__new__(_Node)
    for name, value in zip(_Node.__slots__, fields, strict=True):
        setattr(node, name, value)
    return node


def _build(number: int, nodes: list[_Node], built: dict[int, BaseException]) -> BaseException:
    if number not in built:
        node = nodes[number]
        group = None
        if node.group is not None:
            message, members, is_argument = node.group
            group = (message, [_build(member, nodes, built) for member in members], is_argument)
        built[number] = _restore(node, group)
    return built[number]


def _restore(node: _Node, group: tuple[str, list[BaseException], bool] | None) -> BaseException:
    if node.number in exceptions.originals:
        return _original(node)
    try:
        if node.custom is not None:
            exc: BaseException = loads(node.custom)
        else:
            assert node.state is not None
            exc = exceptions.restore(loads(node.pickled_class), node.state, group)
    except Exception as failure:
        return _described(node, f"{type(failure).__name__}: {failure}")
    if node.number:
        exc.__dict__[exceptions.NUMBER] = node.number
    if node.notes is not None and "__notes__" not in exc.__dict__:
        exc.__dict__["__notes__"] = node.notes
    return exc


def _original(node: _Node) -> BaseException:
    """The exception of this process's own whose copy comes back."""
    exc = exceptions.originals[node.number]
    if node.notes is not None:
        exc.__dict__["__notes__"] = node.notes
    return exc


def _described(node: _Node, reason: str) -> EncodeError:
    return EncodeError(
        f"a remote function raised {node.class_name}, which cannot travel to the client "
        f"({reason}); it says: {node.text}",
        "define exception classes in a module that the client can import",
    )


def continue_context(exc: BaseException, handled: BaseException | None) -> None:
    """Let an exception that was being handled end the chain of another one's contexts.

    Args:
        exc: The exception that is raised.
        handled: The one that is handled meanwhile; None if there is none.
    """
    if handled is None:
        return
    seen = {id(handled)}
    while exc.__context__ is not None:
        if id(exc) in seen:
            return
        seen.add(id(exc))
        exc = exc.__context__
    if id(exc) not in seen:
        BaseException.__context__.__set__(exc, handled)  # type: ignore[union-attr]
