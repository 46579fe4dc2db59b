"""Calls that a function of the user's sends as a batch, for `cord batch`: all of a layer at once.

A batch is known by what is in it: equal calls in another run make the same one, in the same order,
so that the function can find what it has sent before.
"""

from __future__ import annotations

import hashlib
import inspect
from operator import itemgetter

from cord._core import find_function
from cord.errors import CordError
from cord.runtime.travel import codec

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    from cord._core import Endpoint
    from cord.engines.local.gathered import Request
    from cord.plan.model import RemotePlan


class Batches:
    """Which functions send calls as batches.

    Args:
        plan: What the plan says of the module.
    """

    __slots__ = ("_by",)

    def __init__(self, plan: RemotePlan) -> None:
        own = plan.functions.items()
        self._by = {name: one.submit for name, one in own if one.is_layered and one.submit}

    def name_of(self, request: Request) -> str | None:
        """The function that a call is of, if it goes in a batch."""
        name = _plain(codec.decode(request[1])[0])
        return name if name in self._by else None

    def send(
        self, endpoint: Endpoint, module: Any, name: str, requests: list[Request]
    ) -> list[tuple[Request, Any]]:
        """Send a batch, and wait for what comes of it.

        Args:
            endpoint: This end of the link.
            module: The remote module.
            name: The function that these are calls of.
            requests: The calls.

        Returns:
            Each call with its result.

        Raises:
            CordError: The user's function has not given a list with a result for each call.
            BaseException: What it raises; or it is not there.
        """
        many = find_function(module, self._by[name])
        signature = inspect.signature(find_function(module, name))
        known = sorted(((_digest(one), one) for one in requests), key=itemgetter(0))
        arguments = [_in_places(signature, *codec.decode(one[1])) for _, one in known]
        whole = hashlib.blake2b(b"".join(digest for digest, _ in known), digest_size=16)
        given = (arguments, whole.hexdigest()) if _takes_two(many) else (arguments,)
        results = endpoint.make(many, given, {})
        if type(results) is not list or len(results) != len(known):
            got = f"a list of {len(results)}" if type(results) is list else type(results).__name__
            raise CordError(
                f"{self._by[name]}() was given {len(known)} calls of {name}(), and has returned "
                f"{got}",
                "it returns a list with one result for each call, in their order",
            )
        return [(one, result) for (_, one), result in zip(known, results, strict=True)]


def _plain(name: str) -> str:
    """A function's name without what tells its version."""
    return name.rpartition(":")[2]


def _digest(request: Request) -> bytes:
    _, head, buffers = request[1]
    own = hashlib.blake2b(head, digest_size=16)
    for buffer in buffers:
        own.update(buffer)
    return own.digest()


def _in_places(
    signature: inspect.Signature, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """A call's arguments in their places: also those that were named, and defaults."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise CordError(
            f"{_plain(name)}() has parameters that only names lead to, and a batch has no place "
            "for them",
            "let them be positional, too",
        )
    return bound.args


def _takes_two(many: Any) -> bool:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(many).parameters.values()
    return sum(one.kind in kinds for one in parameters) > 1
