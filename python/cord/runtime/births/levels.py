"""Which frames of the program a new scout covers: that of the take, and those that called it.

A generator's frame is the last: who reads it is left to copies of the program.
"""

from __future__ import annotations

from types import FrameType

from cord import _core
from cord.runtime.objects.closures import UNBOUND
from cord.runtime.objects.frames import variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from cord._core import Activation, Future, Run
    from cord.runtime.births.births import Births

CO_GENERATOR = 32
_DEEPEST = 12
_INITIALIZERS = ("__init__", "__post_init__")

# a scout's generator, whose frame it covers, and the future of what the frame returns
Level = tuple["Generator[None, None, object]", "Activation", "Future | None"]


class Covered:
    """A frame that stands in the call `site`."""

    __slots__ = ("activation", "frame", "module", "site", "values")

    def __init__(
        self,
        module: str,
        site: int,
        activation: Activation,
        frame: FrameType,
        values: dict[str, Any],
    ) -> None:
        self.module = module
        self.site = site
        self.activation = activation
        self.frame = frame
        self.values = values

    @property
    def generates(self) -> bool:
        """Whether it is a generator's frame."""
        return bool(self.frame.f_code.co_flags & CO_GENERATOR)


def cover(
    births: Births, activation: Activation, module: str, site: int, frame: FrameType | None
) -> list[Covered]:
    """The frames that a scout can cover, innermost first.

    Args:
        births: The project's scouts.
        activation: The activation of the take.
        module: Module of the take's site.
        site: Number of the take's site.
        frame: The innermost Python frame of the take.
    """
    covered: list[Covered] = []
    here: tuple[str, int, Activation] | None = (module, site, activation)
    while here is not None:
        module, call, activation = here
        found = _frame(births, activation, frame)
        if found is None or births.answers.after(module, call) is None:
            break
        one = Covered(module, call, activation, *found)
        covered.append(one)
        frame = one.frame.f_back
        here = None if frame is None or one.generates else _caller(births, activation)
    return covered


def begin(births: Births, run: Run, result: Any, covered: list[Covered]) -> list[Level]:
    """Start the scouts of these frames; each gives the next its result, if that needs it.

    Args:
        births: The project's scouts.
        run: The run that they will be part of.
        result: The value that the take will give.
        covered: The frames.
    """
    levels: list[Level] = []
    wants = _wants(births, covered)
    for depth, one in enumerate(covered):
        one.values[f":r{one.site}"] = result
        scout = births.answers.after(one.module, one.site, wants[depth])
        assert scout is not None
        walked = births.walked(scout, run, one.activation)
        made = births.started(scout, one.module, run, one.frame, one.values, walked)
        # what makes an instance gives none, and scouts make none either
        gives = scout.returns and one.frame.f_code.co_name not in _INITIALIZERS
        future = _core.Future() if gives else None
        levels.append((made, one.activation, future))
        result = UNBOUND if future is None else future
    return levels


def _caller(births: Births, activation: Activation) -> tuple[str, int, Activation] | None:
    """Where the frame stands that called that of an activation."""
    if activation.caller is None:
        return None
    caller, uid = activation.caller
    return *births.sites[uid], caller


def _wants(births: Births, covered: list[Covered]) -> list[bool]:
    """Of each frame, whether the scout of the next one needs what it gives."""
    wants = [False] * len(covered)
    for depth in range(len(covered) - 1, 0, -1):
        wants[depth - 1] = _reads_result(births, covered[depth], wants[depth])
    return wants


def _reads_result(births: Births, outer: Covered, wanted: bool) -> bool:
    """Whether a frame's scout, of which more is wanted or not, needs what the one before gives."""
    scout = births.answers.after(outer.module, outer.site, wanted)
    return scout is not None and f":r{outer.site}" in scout.names


def _frame(
    births: Births, activation: Activation, frame: FrameType | None
) -> tuple[FrameType, dict[str, Any]] | None:
    """The activation's own frame, and the variables seen there.

    Those of comprehensions that the frame is in come under names that end in a colon.
    """
    code = births.codes.get(activation.region)
    values: dict[str, Any] = {}
    for _ in range(_DEEPEST):
        if frame is None:
            return None
        there = variables(frame)
        inside = {f"{name}:": value for name, value in there.items()}
        if frame.f_code is code:
            values = {**there, **inside, **values}
            return frame, values
        if code is not None and frame.f_code.co_filename == code.co_filename:  # no library's
            values = {**inside, **values}
        frame = frame.f_back
    return None
