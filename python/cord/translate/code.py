"""Code objects with others inside: native objects put in place of their marks, and sets."""

from __future__ import annotations

from types import CodeType

from .results import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def patch(code: CodeType, native: Callable[[str], object]) -> CodeType:
    """Replace every marked constant, in nested code too.

    Args:
        code: Compiled code.
        native: Gives the object for a mark, its `MARK` prefix cut off.
    """
    changed = False
    constants: list[object] = []
    for constant in code.co_consts:
        new = constant
        if isinstance(constant, CodeType):
            new = patch(constant, native)
        elif isinstance(constant, str) and constant.startswith(MARK):
            new = native(constant[len(MARK) :])
        changed = changed or new is not constant
        constants.append(new)
    return code.replace(co_consts=tuple(constants)) if changed else code


def marks(code: CodeType) -> set[str]:
    """The marks among the constants of a code object and those inside, their prefix cut off."""
    constants = [constant for inner in nested(code) for constant in inner.co_consts]
    texts = [one for one in constants if isinstance(one, str) and one.startswith(MARK)]
    return {text[len(MARK) :] for text in texts}


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def has_sets(constants: tuple[object, ...]) -> bool:
    """Whether there are sets among these constants, inside tuples too."""
    return any(
        isinstance(one, frozenset) or (isinstance(one, tuple) and has_sets(one))
        for one in constants
    )


def with_sets_of(new: CodeType, old: CodeType) -> dict[int, CodeType]:
    """Give translated code the constant sets of the code that it replaces.

    Equal sets that are built twice may be walked in different orders.

    Returns:
        The new code objects, nested ones too, by the identity of those that they replace.
    """
    sets: dict[frozenset[str], object] = {}
    for inner in nested(old):
        for constant in inner.co_consts:
            _note_sets(constant, sets)
    made: dict[int, CodeType] = {}
    _rebuilt(new, sets, made)
    return made


def _exactly(constant: frozenset[object]) -> frozenset[str]:
    """What a set holds; `{1}` and `{True}` are equal."""
    return frozenset(map(repr, constant))


def _note_sets(constant: object, sets: dict[frozenset[str], object]) -> None:
    if isinstance(constant, frozenset):
        sets.setdefault(_exactly(constant), constant)
    elif isinstance(constant, tuple):
        for item in constant:
            _note_sets(item, sets)


def _fresh(
    constant: object, sets: dict[frozenset[str], object], made: dict[int, CodeType]
) -> object:
    if isinstance(constant, CodeType):
        return _rebuilt(constant, sets, made)
    if isinstance(constant, frozenset):
        return sets.get(_exactly(constant), constant)
    if isinstance(constant, tuple):
        items = tuple(_fresh(item, sets, made) for item in constant)
        same = all(new is old for new, old in zip(items, constant, strict=True))
        return constant if same else items
    return constant


def _rebuilt(
    code: CodeType, sets: dict[frozenset[str], object], made: dict[int, CodeType]
) -> object:
    constants = tuple(_fresh(constant, sets, made) for constant in code.co_consts)
    if all(new is old for new, old in zip(constants, code.co_consts, strict=True)):
        made[id(code)] = code
    else:
        made[id(code)] = code.replace(co_consts=constants)
    return made[id(code)]
