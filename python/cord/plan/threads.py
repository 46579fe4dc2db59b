"""What a module whose replicas have threads cannot have besides."""

from __future__ import annotations

from cord.plan.document import found, key_text
from cord.plan.words import MAX_AT_ONCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan
    from cord.plan.problems import Problems
    from cord.plan.validate import Section

# They are about single replicas, where a thread is as good as another.
_OF_REPLICAS = ("loadratio", "speed", "topology", "overload", "underload", "share", "migration")


def check_threads(
    plan: RemotePlan, section: Section, clients: dict[str, Section], problems: Problems
) -> None:
    """Report what makes no sense with threads.

    Args:
        plan: What the plan says of the module.
        section: Its table.
        clients: The tables that modules of the program have for it.
        problems: Where the reports go.
    """
    if plan.threads == 1:
        return
    threads = f"{key_text((*section.path, 'threads'))} is {plan.threads}"
    for one in (section, *clients.values()):
        for key in _OF_REPLICAS:
            if one.values.get(key) is not None:
                entry = one.entry_of(key)
                problems.add(
                    entry.place,
                    f"{key_text((*one.path, key))} is {found(entry)}, but {threads}, and it is "
                    "about replicas that serve one call at a time",
                    f"leave {key} out, or set threads = 1",
                )
    place = section.entry_of("threads").place
    if plan.places > MAX_AT_ONCE:
        problems.add(
            place,
            f"{threads}, which makes {plan.places} calls at once in "
            f"{plan.replicas} replicas; allowed: {MAX_AT_ONCE} in all",
        )
    if plan.scratch or any(own.scratch for own in plan.functions.values()):
        problems.add(
            place,
            f"{threads}, but functions are scratch, and all threads of a process are in one "
            "working folder; allowed: 1",
            "set replicas instead",
        )
    if plan.is_program and not plan.is_pure:
        problems.add(
            place,
            f"{threads}, but not all functions of the main script that are remote are declared "
            "pure, and what they change there would come home from several calls at once; "
            "allowed: 1",
            "set pure = true if they have no effects and depend on their arguments alone, and "
            "leave the others out by only",
        )
