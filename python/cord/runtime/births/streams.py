"""The program's own iterators: a scout goes on with a generator from where it stands.

A suspended generator shows its variables, where it stopped, and, among what it refers to, the
iterators of the loops that it is in. With copies of those its scout yields what it will yield.
"""

from __future__ import annotations

import functools
import gc
from types import GeneratorType

from cord import _core
from cord.runtime.objects.frames import activation_of, place_of, variables
from cord.runtime.objects.iterators import copy_iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord._core import Run
    from cord.runtime.births.births import Births


def stream_of(births: Births, run: Run, generator: GeneratorType[Any, Any, Any]) -> Any:
    """What a generator of the program's will yield; None where its scout cannot go on with it."""
    frame = generator.gi_frame
    if frame is None or generator.gi_running:
        return None
    code = frame.f_code
    found = births.answers.generator_at(code.co_filename, code.co_name, code.co_firstlineno)
    if found is None:
        return None
    try:
        scout = births.answers.resumed(*found, place_of(generator))
    except LookupError:
        return None
    if scout is None:
        return None
    walked = _walked(births, run, generator, len(scout.loops))
    if walked is None:
        return None
    activation = activation_of(frame)
    if scout.calls and (activation is None or not activation.is_free()):
        return None
    made = births.started(scout, found[0], run, frame, variables(frame), walked)
    return _core.Stream.of(run, activation if scout.calls else None, made)


def _walked(
    births: Births, run: Run, generator: GeneratorType[Any, Any, Any], count: int
) -> list[Any] | None:
    """Copies of the iterators of the loops that a generator is in, outermost first."""
    # the values that a frame computes with come after its variables
    there = [one for one in gc.get_referents(generator) if hasattr(type(one), "__next__")]
    found = there[len(there) - count :]
    if len(found) != count:
        return None
    seen: dict[int, tuple[Any, Any]] = {}
    stream = functools.partial(stream_of, births, run)
    copies = [copy_iterator(one, seen, stream) for one in found]
    return None if any(copy is None for copy in copies) else copies
