"""The plan of little programs whose one remote module is called `work`."""

from __future__ import annotations


def work_plan(*more: str, replicas: int = 2, callstyle: str = "async", copies: bool = False) -> str:
    """The text of `cord.toml`: `work` is pure; `more` are lines of its table, and what follows."""
    return "\n".join(
        [
            "[run]",
            f"copies = {str(copies).lower()}",
            "[remote.work]",
            f"replicas = {replicas}",
            f'callstyle = "{callstyle}"',
            "pure = true",
            *more,
            "",
        ]
    )
