"""Ray's library, and a cluster that is there."""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import TYPE_CHECKING

from cord.errors import CordError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Ray is to say nothing by itself.
QUIET = {"logging_level": logging.CRITICAL, "log_to_driver": False}


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
        return CordError(f"there is no Ray cluster at {address}: {why}", hint)

    def end() -> None:
        give_up(none_there(f"nothing was heard of it in {seconds:.0f} s"))
        os._exit(0)

    limit = threading.Timer(seconds, end)
    limit.daemon = True
    limit.start()
    try:
        ray.init(address or "auto", **QUIET)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise none_there(str(error.__cause__ or error).partition("\n")[0]) from None
    finally:
        limit.cancel()
