"""Ray's library, and a cluster that is there."""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from typing import TYPE_CHECKING

from cord.errors import CordError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Ray is to say nothing by itself.
QUIET = {"logging_level": logging.CRITICAL, "log_to_driver": False}

# Where Ray tells of what an actor is, not of what has become of it.
_DETAIL = re.compile(r"\w+: \S+$")
_TRACEBACK = "Traceback (most recent call last):"
_TOKEN = "AuthToken"
TOKEN_HINT = (
    "the cluster asks for a token: set RAY_AUTH_MODE=token, and give the cluster's own in "
    "RAY_AUTH_TOKEN, or in ~/.ray/auth_token"
)


def reason_of(text: str) -> str:
    """What Ray says, in a line: without details, tracebacks and advice.

    Args:
        text: Ray's message.
    """
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not _DETAIL.match(line)]
    if any(line.endswith(_TRACEBACK) for line in said):
        said = [said[0], said[-1]] if len(said) > 1 else said
    return " ".join(said).replace(f"{_TRACEBACK} ", "").partition(" Note: ")[0]


def imported() -> Any:
    """Ray's module.

    Raises:
        CordError: It is not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise CordError(
            f"Ray cannot be imported by {sys.executable}: {error}", "pip install 'cord-run[ray]'"
        ) from None
    return ray


def connect(
    ray: Any,
    address: str | None,
    seconds: float,
    give_up: Callable[[CordError], None],
    hint: str | None,
) -> None:
    """Connect to a cluster.

    Args:
        ray: Ray's module.
        address: Where it is; None for the one that Ray finds.
        seconds: How long that may take. Then this process ends: Ray itself would try for minutes,
            and nothing ends that sooner.
        give_up: Is told why, before.
        hint: What to do where there is none.

    Raises:
        CordError: There is none.
    """

    def none_there(why: str) -> CordError:
        what_to_do = TOKEN_HINT if _TOKEN in why else hint
        where = address or "the address that Ray finds"
        return CordError(f"there is no Ray cluster at {where}: {why}", what_to_do)

    def end() -> None:
        give_up(none_there(f"nothing was heard of it in {seconds:.0f} s"))
        os._exit(0)

    limit = threading.Timer(seconds, end)
    limit.daemon = True
    limit.start()
    try:
        ray.init(address or "auto", **QUIET)
    except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise none_there(reason_of(str(error.__cause__ or error))) from None
    finally:
        limit.cancel()
