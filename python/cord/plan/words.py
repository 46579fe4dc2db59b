"""Words of the plan that are needed where plans are not read."""

from __future__ import annotations

# What Cord decides by itself.
AUTO = "auto"
# The plan without a variant. No variant can have this name, for the dot.
BASE = "cord.toml"
DEMAND = "async-demand"
# Whether calls go on in a fresh replica when what others left in the last one is lost.
FRESH, NEVER = "fresh", "never"
# How many processes may serve a module.
MAX_REPLICAS = 1024
# How many calls may be served at once, all of them together.
MAX_AT_ONCE = 4096
# How many replicas functions that wait are given, where no plan says it.
WAITERS = 8
# The smallest plan, as a hint.
EXAMPLE = """\
for example:

    [remote.compare]        # the functions of the module compare run in replicas
    pure = true             # they have no effects: calls start ahead of the program"""


def watermark_of(style: str) -> int | None:
    """The n of "async-demand(n)"; None for another call style."""
    return int(style[len(DEMAND) + 1 : -1]) if style.startswith(DEMAND) else None


# What keeps errors, too; the folder of what is kept, and how many bytes it may have.
ALL = "all"
KEPT_FOLDER = ".cord/kept"
KEPT_BYTES = 10 << 30

# So many calls may be in one batch of `cord batch`.
LAYER = 1_000_000
