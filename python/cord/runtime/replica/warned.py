"""Warnings that calls give: taken down in replicas before any registry keeps them back.

The filters here are the program's, but that they count nothing (`objects/filters.py`). A filter
that the function itself has added is not known to the program: its action goes along.
"""

from __future__ import annotations

import sys
import warnings
from _pickle import dumps

from cord.runtime.io.output import FILTERS, WARNING
from cord.runtime.objects.callers import is_own, locate
from cord.runtime.objects.filters import COUNTED, Held, filters, plain
from cord.runtime.travel import raised

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any, Final

    from cord.runtime.io.output import Capture
    from cord.runtime.objects.filters import Filter

_DEFAULT: Final = "default"
# What is called when filters have changed: since Python 3.14 by another name.
_MUTATED: Final = "_filters_mutated"
_MUTATED_SINCE: Final = "_filters_mutated_lock_held"


def set_filters(program_s: list[Filter]) -> None:
    """Make the program's filters those of this replica.

    Args:
        program_s: The program's filters.
    """
    warnings.filters[:] = filters(program_s)  # type: ignore[index]
    _silent.append(True)
    try:
        warnings._filters_mutated()  # type: ignore[attr-defined]
    finally:
        _silent.pop()


# Not empty while Cord itself changes the filters.
_silent: Final[list[bool]] = []


def install(capture: Capture) -> None:
    """Take down the warnings that calls give, from here on.

    Args:
        capture: Recorder of what calls write.
    """
    set_filters(list(warnings.filters))  # type: ignore[arg-type]
    _Taking(capture).install()


class _Taking:
    """What stands in `warnings` instead of its own functions.

    Args:
        capture: Recorder of what calls write.
    """

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._shows = warnings._showwarnmsg_impl  # type: ignore[attr-defined]
        self._shows_all = warnings._showwarnmsg  # type: ignore[attr-defined]
        self._adds = warnings._add_filter  # type: ignore[attr-defined]
        self._default = Held(_DEFAULT, is_program_s=True)
        # of blocks that catch warnings: how deep, and what showed them outside
        self._depth = 0
        self._showwarning: Any = warnings.showwarning

    def install(self) -> None:
        """Put them there."""
        name = _MUTATED_SINCE if hasattr(warnings, _MUTATED_SINCE) else _MUTATED
        setattr(warnings, name, self._telling(getattr(warnings, name)))
        warnings._add_filter = self.add_filter  # type: ignore[attr-defined]
        warnings._showwarnmsg = self.show  # type: ignore[attr-defined]
        warnings.defaultaction = self._default  # type: ignore[attr-defined]
        self._follow_blocks()

    def _telling(self, mutated: Any) -> Any:
        def tell() -> None:
            if is_own(sys._getframe(1)):  # the filters are made what the program's are
                warnings.filters[:] = filters(warnings.filters)  # type: ignore[index,arg-type]
                warnings.defaultaction = self._default  # type: ignore[attr-defined]
                mutated()
                return
            mutated()
            if _silent or self._capture.is_forked:
                return
            journal = self._capture.journal
            if not journal or journal[-1][0] != FILTERS:
                self._capture.record(FILTERS, 0, None)

        return tell

    def _follow_blocks(self) -> None:
        catches: Any = warnings.catch_warnings
        enters, exits = catches.__enter__, catches.__exit__

        def __enter__(block: Any) -> Any:
            if self._depth == 0:
                self._showwarning = warnings.showwarning
            self._depth += 1
            try:
                log = enters(block)
            except BaseException:
                self._depth -= 1
                raise
            if log is not None:  # what is shown in there is for the function alone
                warnings.filters[:] = plain(list(warnings.filters))  # type: ignore[index,arg-type]
                warnings.defaultaction = _DEFAULT  # type: ignore[attr-defined]
            return log

        def __exit__(block: Any, *exc_info: Any) -> Any:
            left = exits(block, *exc_info)
            self._depth -= 1
            if not self._is_recorded():
                warnings.defaultaction = self._default  # type: ignore[attr-defined]
            return left

        catches.__enter__, catches.__exit__ = __enter__, __exit__

    def _is_recorded(self) -> bool:
        return warnings._showwarnmsg_impl is not self._shows  # type: ignore[attr-defined]

    def add_filter(self, action: str, *item: Any, append: bool) -> None:
        """Add a filter, as `warnings` does."""
        if action in COUNTED and not self._is_recorded() and not self._capture.is_forked:
            action = Held(action, is_program_s=False)
        self._adds(action, *item, append=append)

    def show(self, msg: warnings.WarningMessage) -> None:
        """Take down a warning that the filters let pass."""
        is_local = self._is_recorded() or (
            self._depth > 0 and warnings.showwarning is not self._showwarning
        )
        if is_local or self._capture.is_forked:
            self._shows_all(msg)
        else:
            self._capture.record(WARNING, 0, self._encoded(msg))

    def _encoded(self, msg: warnings.WarningMessage) -> bytes:
        message: Any = msg.message
        frame, above = locate(msg.filename, msg.lineno)
        module = None if frame is None else frame.f_globals.get("__name__") or "<string>"
        action = _deciding(str(message), msg.category, module or "", msg.lineno)
        is_program_s = isinstance(action, Held) and action.is_program_s
        return dumps(
            (
                raised.encode_exception(message),
                (msg.filename, msg.lineno, module, above),
                None if is_program_s else str(action),
                None if msg.source is None else _source(msg.source),
            ),
            5,
        )


def _deciding(text: str, category: type[Warning], module: str, line: int) -> Any:
    """The action of the filter that has let a warning pass."""
    for action, message, cls, name, number in list(warnings.filters):
        if (
            _matches(message, text)
            and issubclass(category, cls)
            and _matches(name, module)
            and number in (0, line)
        ):
            return action
    return warnings.defaultaction  # type: ignore[attr-defined]


def _matches(pattern: Any, text: str) -> bool:
    if pattern is None:
        return True
    return bool(pattern == text if isinstance(pattern, str) else pattern.match(text))


def _source(source: object) -> tuple[bytes, str]:
    """What a warning is about: a pickle, empty where there is none, and how it prints."""
    try:
        pickled = dumps(source, 5)
    except Exception:
        pickled = b""
    try:
        return pickled, repr(source)
    except Exception:
        return pickled, f"<unprintable {type(source).__name__} object>"
