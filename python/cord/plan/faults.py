"""Why what the plan names of a module cannot be remote, as far as the text tells."""

from __future__ import annotations

from cord.plan.document import key_text
from cord.plan.outlines import COROUTINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import RemotePlan
    from cord.plan.offers import Home
    from cord.plan.outlines import Outline


def is_there(function: str, outline: Outline) -> bool:
    """Whether a module binds a name."""
    return function in outline.functions or function in outline.others


def fault_of(
    function: str,
    module: str,
    outline: Outline,
    homes: dict[str, Home],
    *,
    is_only: bool = False,
) -> str | None:
    """Why `function` cannot be remote, as a sentence, or None.

    What only shows at run time may be: what a variable holds that `only` names, what comes by a
    star.
    """
    if "." in function:
        return _method_fault(function, module, outline)
    kind = outline.others.get(function)
    stays_local = None
    if function in outline.functions:
        _, stays_local = outline.functions[function]
        stays_local = None if stays_local == COROUTINE else stays_local
    elif function in homes:
        stays_local = homes[function].fault
    elif kind is None:
        return None if outline.has_star_import else f"{module} defines no function {function}"
    elif not (is_only and function in outline.variables):
        return f"{function} is {kind} in {module}; only functions that {module} defines are remote"
    if function.startswith("_"):
        return f"{module}.{function} is private: its name starts with an underscore"
    if not outline.is_public(function):
        return f"{module}.{function} is not public: __all__ of {module} leaves it out"
    if stays_local == "a class":
        return f"{module}.{function} is a class; only functions are remote"
    if stays_local is not None:
        return f"{module}.{function} is {stays_local}, whose result cannot travel"
    return None


def _method_fault(method: str, module: str, outline: Outline) -> str | None:
    """Why the method `Class.name` cannot be remote, as a sentence, or None."""
    owner, _, name = method.rpartition(".")
    kind = outline.others.get(owner.partition(".")[0])
    if kind != "a class":
        what = f"{module} has no {owner}" if kind is None else f"{owner} is {kind} in {module}"
        return f"{what}; allowed: a class that {module} defines"
    if method not in outline.methods:
        return f"the class {owner} of {module} defines no method {name} itself"
    if any(part.startswith("_") for part in method.split(".")):
        return f"{module}.{method} is private: its name starts with an underscore"
    _, stays_local = outline.methods[method]
    if stays_local == COROUTINE:
        return None
    if stays_local == "a property":
        return f"{module}.{method} is a property, which is not called; only calls are remote"
    if stays_local is not None:
        return f"{module}.{method} is {stays_local}, whose result cannot travel"
    return None


def fault_of_settings(
    plan: RemotePlan, function: str, homes: dict[str, Home], is_adopted: bool = False
) -> tuple[str | None, str | None]:
    """Why a function that is there cannot be remote as the plan says; and what to do."""
    settings = plan.function(function)
    if "." in function and plan.is_program and not is_adopted:
        return (
            f"{plan.module}.{function} is a method of the main script, where only functions can be "
            "remote",
            "move the class to a module, and make that remote",
        )
    if "." in function and not settings.pure:
        return (
            f"{plan.module}.{function} is a method that is not declared pure, and what it changes "
            "of its object would stay in the replica",
            "set pure = true if it changes nothing and depends on its object and its arguments "
            "alone",
        )
    if function in homes and settings.effects == "stateful":
        home = homes[function]
        return (
            f"{home.module} defines {home.name}, which is not declared pure, and who calls it "
            f"there would not see what calls through {plan.module} leave in a replica",
            f"make that module remote, [{key_text(('remote', home.module))}], or set pure = true "
            "if it has no effects and depends on its arguments alone",
        )
    return None, None
