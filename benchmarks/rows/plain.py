"""What translation costs code that makes no remote calls."""

from benchmarks.contenders import cord, python
from benchmarks.model import CORD, Claim, Column, Row

ROW = Row(
    name="plain",
    title="Plain code without remote calls, translated",
    notes=(
        "The processor time of many kinds of loops in a function that could make a remote call. "
        "It is compared with a copy of the module that is not translated; both take turns in one "
        "process. In plain Python neither is translated, which shows how exact the figure is."
    ),
    columns=(
        Column("of the copy's time", "ratio", 1, ".3f"),
        Column("one turn, ms", "seconds", 1e3, ".2f"),
    ),
    contenders=(cord("plain.py"), python("plain.py")),
    claims=(
        Claim(
            "plain code, translated: time divided by that of the same code untranslated",
            lambda m: m.of(CORD, "ratio"),
            1.02,
            at_most=True,
            form=".3f",
        ),
    ),
)
