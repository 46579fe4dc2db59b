"""The plan of little programs whose one remote module is called `work`."""

from __future__ import annotations


def work_plan(*more: str, replicas: int = 2, callstyle: str = "async", copies: bool = False) -> str:
    """The text of `cord.toml`: `work` is repeatable, for its functions may note that they run.

    Args:
        more: Lines of its table, and what follows.
        replicas: How many replicas it has.
        callstyle: How it is called.
        copies: Whether copies of the program run ahead.
    """
    return "\n".join(
        [
            "[run]",
            f"copies = {str(copies).lower()}",
            "[remote.work]",
            f"replicas = {replicas}",
            f'callstyle = "{callstyle}"',
            "repeatable = true",
            *more,
            "",
        ]
    )
