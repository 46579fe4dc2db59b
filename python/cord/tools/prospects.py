"""Plans under which a program cannot be faster than plain Python, as far as they tell."""

from __future__ import annotations

from cord._core import means
from cord.plan.document import key_text
from cord.plan.problems import listing
from cord.plan.words import WAITERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import FunctionPlan, Plan, RemotePlan


def cannot_be_faster(
    plan: Plan, served: dict[str, list[str]], has_threads: bool
) -> tuple[str, str] | None:
    """Why no call can run beside another one, or beside the program; and what to do.

    Args:
        plan: The plan.
        served: The remote functions by module.
        has_threads: Whether the program may make calls from several threads.

    Returns:
        A sentence and a hint; None where a gain is possible.
    """
    functions = [
        plan.remote[module].function(name) for module, some in served.items() for name in some
    ]
    if not functions:
        return None
    ahead = any(_is_ahead(remote, one) for remote in plan.remote.values() for one in functions)
    if not ahead and not (has_threads and any(one.places != 1 for one in plan.remote.values())):
        return _nothing_ahead(plan, functions)
    cores = means()[0] if plan.engine.is_local else None
    if cores == 1 and all(one.places == 1 for one in plan.remote.values()):
        return (
            "the program may use one core here, and has one replica: functions that compute will "
            "not be faster than in plain Python",
            f"functions that wait (for a server, a disk) are, with threads = {WAITERS}",
        )
    return None


def _is_ahead(remote: RemotePlan, one: FunctionPlan) -> bool:
    styles = [
        one.callstyle,
        *(own["callstyle"] for own in remote.clients.values() if "callstyle" in own),
    ]
    return one.effects != "stateful" and any(style != "sync" for style in styles)


def _nothing_ahead(plan: Plan, functions: list[FunctionPlan]) -> tuple[str, str]:
    tables = listing(f"[{key_text(('remote', name))}]" for name in plan.remote)
    what = "each call is made where the program stands, which waits for it"
    if all(one.effects == "stateful" for one in functions):
        return (
            f"no function is declared pure: {what}, so that the program will not be faster than in "
            "plain Python",
            f"pure = true in {tables}, for functions without effects whose results depend on their "
            "arguments alone",
        )
    return (
        f'callstyle is "sync": {what}, so that the program will not be faster than in plain Python',
        f'leave callstyle out of {tables}: pure functions are called ahead ("async")',
    )
