"""Every key of cord.toml: where it stands, what it accepts, its default, what it means.

A key without a reader and without a table is known but not honoured yet; it is refused, never
ignored. docs/configuration/keys.md describes the same keys, and a test holds the two together.
"""

from __future__ import annotations

from cord.plan import calling, kept, values
from cord.plan.keys import Key, Table, switch
from cord.plan.keys_of_engines import ENGINE
from cord.plan.keys_of_http import HTTP
from cord.plan.keys_of_modules import CLIENT, CLIENT_REMOTE, FUNCTION, REMOTE

ASSUME = Table(
    "[assume]",
    Key(
        "pure",
        "Functions, methods and objects, outside the remote modules, whose use has no effects.",
        allowed='a list of dotted names such as "Bio.SeqIO.parse"',
        default="[]",
        read=values.assumed_names,
    ),
)
RUN = Table(
    "[run]",
    switch("copies", "Copies of the program run ahead of it where scouts see nothing.", "true"),
    Key(
        "speculate",
        "What copies of the program may issue.",
        allowed='"likely", "exact" or "off"',
        default='"likely"',
        read=values.speculation,
    ),
    Key(
        "audit",
        "How much of the time in which replicas are idle goes to making pure calls again.",
        allowed='a percentage such as "1 %" or 0.5, "all" or false',
        default='"1 %"',
        read=values.percentage,
    ),
    switch(
        "auto",
        "In a plan without remote modules: whether a run looks for functions by itself.",
        "true",
    ),
    Key(
        "kept",
        "The folder, beside the plan, in which is what is kept of calls.",
        allowed='a path such as ".cord/kept"',
        default='".cord/kept"',
        read=kept.folder,
    ),
    Key(
        "kept_bytes",
        "How large that folder may be when a run has ended.",
        allowed='a size such as "10GiB"',
        default='"10GiB"',
        read=calling.size,
    ),
)
REPORT = Table(
    "[report]",
    switch("stats", "Each run tells of its calls in a table when it has ended, as with --stats."),
    switch(
        "warn",
        "A run says in a line what was wrong with it, or what speaks against pure = true.",
        "true",
    ),
)
POOLS = Table(
    "[pools]",
    switch("processes", "Pools of processes that the program has already are fed by Cord.", "true"),
)
_SECTIONS = (
    Key("remote", "The remote modules, a table for each.", tables=REMOTE),
    Key("run", "How the program itself is run.", table=RUN),
    Key("report", "What runs tell of themselves.", table=REPORT),
    Key("assume", "What the user vouches for.", table=ASSUME),
    Key("client", "Settings for calls made from one module.", tables=CLIENT),
    Key("engine", "Where replicas live.", table=ENGINE),
    Key("pools", "What becomes of pools that the program has already.", table=POOLS),
    Key("http", "Remote functions behind HTTP.", table=HTTP),
)
VARIANT = Table("[variants.NAME]", *_SECTIONS)
PLAN = Table(
    "cord.toml", *_SECTIONS, Key("variants", "Named overlays of the same file.", tables=VARIANT)
)


def home_of(name: str, besides: Table) -> str | None:
    """The header of another table that has the key `name`, or None."""
    for table in (REMOTE, FUNCTION, CLIENT_REMOTE, RUN, REPORT, POOLS, ENGINE, HTTP, ASSUME, PLAN):
        if table is not besides and name in table.keys:
            return table.header
    return None
