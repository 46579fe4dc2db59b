"""What `cord check` says of a remote function: its purity, its arguments, its state."""

from __future__ import annotations

import ast

from cord.knowledge import rows
from cord.knowledge.outside import owner
from cord.knowledge.unseen import draws
from cord.source.definitions import FunctionId, decorator_names
from cord.source.records import dataclass, field, replace

from . import summary as kinds
from .arguments import default_of
from .doubts import Doubts
from .places import Places, places
from .replacing import ALL
from .summary import Effect, Summary
from .values import ALLOC, GLOBAL, PARAM, Obj

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .analysis import Analysis

_MUTABLE = frozenset(
    """list set dict bytearray ndarray array.array collections.deque collections.Counter
    collections.defaultdict collections.OrderedDict""".split()
)
_CACHES = frozenset({"lru_cache", "cache"})
# What is harmless but for some arguments, and for which.
_GIVEN = {kinds.WALKS: "an iterator", kinds.HANDS: "a function", kinds.LOOKS: "a defaultdict"}
_DOUBTFUL = frozenset({kinds.CALLS, kinds.UNKNOWN_CALL, kinds.NAMED, *_GIVEN})
_SEEDS = (
    "each call draws where the one before has ended: give each a generator of its own, such as "
    'random.Random(f"{seed}/{number}")'
)
_ANEW = "calls that were started before are made anew"
_AS_ARGUMENT = "pass it as an argument"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found.

    Attributes:
        module: The module in which it is.
        line: The line there.
        text: One sentence.
        hint: What to do about it, or "".
        first: The function that is called first on the way there, or "".
        of_purity: What the function does, or reads, besides its arguments and result may differ
            where its calls are made early.
        kind: Of what kind the effect is, as `summary` has it, if it is about one.
    """

    module: str
    line: int
    text: str
    hint: str = ""
    first: str = ""
    of_purity: bool = False
    kind: str = ""


@dataclass(slots=True)
class Report:
    """What is said of one function.

    Attributes:
        verdict: "pure" (surely), "impure", or "unknown".
        warnings: What speaks against what the plan says, or against passing by value.
        reasons: Why the verdict is not "pure", in a few words each.
        unless: What it must not be given to be surely pure; "" if that would not be enough.
        against: Of what kinds the effects are, as `summary` has them, for which it is "impure"; but
            for those that a run sees in time.
    """

    verdict: str = "pure"
    warnings: list[Finding] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    unless: str = ""
    against: set[str] = field(default_factory=set)


class Findings:
    """Reads the summaries of remote functions.

    Args:
        analysis: The project's functions.
        remote: The remote functions by module.
    """

    def __init__(self, analysis: Analysis, remote: Mapping[str, Iterable[str]]) -> None:
        self._analysis = analysis
        self._places: Places = places(analysis, remote)
        self._doubts = Doubts(analysis, self._places)

    def report(
        self, module: str, name: str, *, declared: bool, told: frozenset[str] = frozenset()
    ) -> Report:
        """What there is to say of a remote function.

        Args:
            module: Its module.
            name: Its name.
            declared: Whether the plan says that it is pure.
            told: Functions of the module of whose effects the user is told already.
        """
        function = (module, name)
        if function not in self._analysis.world.functions:
            return Report("unknown", reasons=["its text is not seen here"])
        known = self._analysis.summary(*function)
        report = Report()
        for effect in _told(known):
            self._judge(function, effect, declared, report)
        self._judge_results(function, known, report)
        self._judge_names(function, report)
        if report.verdict == "pure":
            self._judge_limits(function, known, report)
        report.unless = _unless(known, report)
        report.warnings = [
            finding for finding in report.warnings if finding.first not in told - {name}
        ]
        report.warnings.sort(key=lambda finding: (finding.module != module, finding.line))
        return report

    def path(self, module: str) -> str:
        """The file of a module."""
        return self._analysis.world.modules[module].path

    def _judge_limits(self, function: FunctionId, known: Summary, report: Report) -> None:
        """What the analysis did not come to may be an effect, or write what is read."""
        if not self._analysis.is_known(*function):
            _doubt(report, "there is too much in it to be followed to its end")
        elif not self._analysis.is_whole:
            for effect in known.effects.values():
                if effect.kind == kinds.READS:
                    name = self._global(effect.subject, function)
                    what = "something in a project that is too large to be followed may change it"
                    _doubt(report, f"it reads {name}, and {what}")

    def _judge_names(self, function: FunctionId, report: Report) -> None:
        """What is found under a name may be something else when the function runs."""
        for name, in_program, effect in self._doubts.replaced(function):
            place = self._place(effect, function)
            what = "something that it needs" if name == ALL else name
            if not in_program or name == ALL:
                _doubt(report, f"{what} may be replaced at {place}")
                continue
            _doubt(report, f"the program replaces {name} at {place}")
            whose = (
                f"{function[1]} is"
                if name == function[1]
                else f"{function[1]} uses {name}, which is"
            )
            sentence = f"{whose} replaced by the program at {place}: {_ANEW}"
            hint = "pass what the program has as an argument"
            report.warnings.append(_finding(effect, sentence, hint))
        for effect in self._doubts.replaced_in_libraries(function):
            place = self._place(effect, function)
            _doubt(report, f"{effect.subject.name} is replaced at {place}")
        for name, module, line in self._doubts.looked_at(function):
            _doubt(report, f"{self.path(module)}:{line} looks at what {name}() keeps")
        special = self._doubts.special(function)
        if special is not None:
            name, module, line = special
            _doubt(report, f"it may run {name}(), which has an effect ({self.path(module)}:{line})")

    # ---- effects -------------------------------------------------------------------------------

    def _judge(self, function: FunctionId, effect: Effect, declared: bool, report: Report) -> None:
        if effect.kind in kinds.CARRIED:
            return
        if effect.kind == kinds.CHANGES:
            self._judge_change(function, effect, report)
        elif effect.kind == kinds.READS:
            self._judge_read(function, effect, declared, report)
        elif effect.kind in _DOUBTFUL or effect.maybe:
            _doubt(report, _doubt_about(effect))
        elif effect.kind == kinds.WRITES:
            if effect.subject.name.startswith(f"{function[1]}.") and effect.via:
                return  # its own default value, which it changes by itself too
            text = f"{_verb(effect)} {self._global(effect.subject, function)}"
            self._against(function, effect, text, _hint_for_write(effect), declared, report)
        elif effect.kind in WORDS:
            self._judge_library(function, effect, declared, report)

    def _against(
        self,
        function: FunctionId,
        effect: Effect,
        text: str,
        hint: str,
        declared: bool,
        report: Report,
    ) -> None:
        """Something that a pure function does not do."""
        report.verdict = "impure"
        if effect.kind not in _SEEN_IN_TIME:
            report.against.add(effect.kind)
        where = f"{text}{_through(effect)}"
        report.reasons.append(f"it {text} at {self._place(effect, function)}")
        if declared:
            sentence = f"{function[1]} is declared pure, but {where}"
            is_told = effect.kind not in _SEEN_IN_TIME
            finding = replace(_finding(effect, sentence, hint), of_purity=is_told)
            if all(old.text != sentence for old in report.warnings):
                report.warnings.append(finding)

    def _judge_library(
        self, function: FunctionId, effect: Effect, declared: bool, report: Report
    ) -> None:
        words = WORDS[effect.kind]
        if effect.kind == rows.SETS:
            words = f"{words} {owner(effect.subject.name)}"
        hint = _HINTS.get(effect.kind, "")
        self._against(function, effect, words, hint, declared, report)

    def _judge_change(self, function: FunctionId, effect: Effect, report: Report) -> None:
        if effect.subject.kind != PARAM:
            return
        name = effect.subject.name
        if effect.maybe:
            _doubt(report, f"{effect.how} (line {effect.line}) may change {name}")
            return
        report.verdict = "impure"
        report.against.add(effect.kind)
        what = f"{function[1]} changes its argument {name}{_through(effect)}"
        report.reasons.append(f"it changes its argument {name}")
        if any(f"its argument {name}" in old.text for old in report.warnings):
            return
        if self._has_kept_default(function, name):
            sentence = f"{what}, whose default value is kept from call to call"
            hint = f"make the default None, and the value inside {function[1]}"
        else:
            sentence = f"{what}: such calls do not start early"
            method = effect.how.partition("(")[0].rpartition(".")[2]
            hint = _SEEDS if draws(method) else "work on a copy, and return it"
        report.warnings.append(replace(_finding(effect, sentence, hint), of_purity=True))

    def _judge_read(
        self, function: FunctionId, effect: Effect, declared: bool, report: Report
    ) -> None:
        """Reading a global matters if someone writes it after the import."""
        subject = effect.subject
        noted = self._places.writers.get((subject.owner, subject.name), [])
        writers = [item for item in noted if not item[1].maybe]
        outside = [item for item in writers if item[0] in self._places.program]
        name = self._global(subject, function)
        if outside:
            written = outside[0][1]
            where = f"which the program sets at {self._place(written)}"
            _doubt(report, f"it reads {name}, {where}")
            sentence = f"{function[1]} reads {name}{_through(effect)}, {where}: {_ANEW}"
            report.warnings.append(_finding(effect, sentence, f"{_AS_ARGUMENT} of {function[1]}"))
        elif writers and not self._writes(function, subject):
            writer, written = writers[0]
            text = f"reads {name}, which {writer[1]}() changes at {self._place(written, function)}"
            self._against(function, effect, text, _AS_ARGUMENT, declared, report)
        elif noted and not writers:
            place = self._place(noted[0][1], function)
            _doubt(report, f"it reads {name}, which {place} may change")

    def _writes(self, function: FunctionId, subject: Obj) -> bool:
        return (kinds.WRITES, subject) in self._analysis.summary(*function).effects

    # ---- results and kept arguments ------------------------------------------------------------

    def _judge_results(self, function: FunctionId, known: Summary, report: Report) -> None:
        node = self._analysis.world.functions[function].node
        line = getattr(node, "lineno", 0)
        if _CACHES & set(decorator_names(node)):
            made = {obj.name for path, obj in known.returns if not path and obj.kind == ALLOC}
            if made & _MUTABLE:
                kind = sorted(made & _MUTABLE)[0]
                sentence = (
                    f"{function[1]} hands out a {kind} that its cache keeps: what the program "
                    "changes in the result does not reach it"
                )
                hint = "return something that cannot change, such as a tuple"
                report.warnings.append(Finding(function[0], line, sentence, hint))
        for (target, step, stored), where in sorted(known.stores.items(), key=lambda i: i[1]):
            if target.kind == GLOBAL and stored.kind == PARAM and step[:1] != "$":
                name = self._global(target, function)
                sentence = f"it keeps its argument {stored.name} in {name} (line {where})"
                if sentence not in report.reasons:
                    report.reasons.append(sentence)

    def _has_kept_default(self, function: FunctionId, name: str) -> bool:
        node = self._analysis.world.functions[function].node
        if isinstance(node, ast.Module):
            return False
        default = default_of(node.args, name)
        return isinstance(default, (ast.List, ast.Dict, ast.Set, ast.Call))

    # ---- words ---------------------------------------------------------------------------------

    def _global(self, subject: Obj, function: FunctionId) -> str:
        """A global as messages name it."""
        name = subject.name
        if name.endswith("="):
            holder, _, parameter = name[:-1].rpartition(".")
            return f"the default value of {parameter} of {holder}()"
        if name.endswith(".<cache>"):
            return f"what the cache of {name[: -len('.<cache>')]}() keeps"
        holder = name.rpartition(".")[0]
        if (subject.owner, holder) in self._analysis.world.functions:
            return f"{name.rpartition('.')[2]} of {holder}()"
        return f"the global {name}" if subject.owner == function[0] else f"{subject.owner}.{name}"

    def _place(self, effect: Effect, function: FunctionId | None = None) -> str:
        if function is not None and effect.module == function[0]:
            return f"line {effect.line}"
        return f"{self.path(effect.module)}:{effect.line}"


def _finding(effect: Effect, sentence: str, hint: str) -> Finding:
    first = effect.via[0][0] if effect.via else ""
    return Finding(effect.module, effect.line, sentence, hint, first, kind=effect.kind)


def _verb(effect: Effect) -> str:
    """Rebinding a name is writing it; everything else changes what it holds."""
    target = effect.how.partition("=")[0]
    return "writes" if target.strip(" +-*/%&|^@<>") == effect.subject.name else "changes"


def _through(effect: Effect) -> str:
    """The calls that lead to the effect."""
    if not effect.via:
        return ""
    return ", through " + ", ".join(f"{name}() at line {line}" for name, _, line in effect.via)


def _hint_for_write(effect: Effect) -> str:
    if effect.subject.name.endswith("="):
        return "make the default None, and the value inside the function"
    return "return the value instead; or leave pure = true out, and say replicas = 1"


def _part(subject: Obj) -> str:
    """A variable, or what is in it, as messages name it."""
    return f"what is in {subject.name}" if subject.path else subject.name


def _doubt_about(effect: Effect) -> str:
    what = effect.subject.name
    if effect.kind == kinds.CALLS:
        return f"it calls {what}, which it is given (line {effect.line})"
    if effect.kind == kinds.WALKS:
        return f"it uses {_part(effect.subject)} up (line {effect.line}), if that is an iterator"
    if effect.kind == kinds.HANDS:
        part = _part(effect.subject)
        return f"it hands {part} over (line {effect.line}) to what may call it, or use it up"
    if effect.kind == kinds.LOOKS:
        return f"{effect.how} (line {effect.line}) changes {what}, if that is a defaultdict"
    if effect.kind == kinds.NAMED:
        return f"{effect.how} (line {effect.line}) may have an effect"
    if effect.kind == kinds.UNKNOWN_CALL:
        return f"it calls {what} (line {effect.line}), which is not known"
    return f"{effect.how} (line {effect.line}) may have an effect"


def _told(known: Summary) -> list[Effect]:
    """The effects, the nearest first; of a line that calls what is not known, that says it all."""
    unknown = {(e.line, e.via) for e in known.effects.values() if e.kind == kinds.UNKNOWN_CALL}
    told = (
        one
        for one in known.effects.values()
        if one.kind != kinds.HANDS or (one.line, one.via) not in unknown
    )
    return sorted(told, key=lambda e: (len(e.via), e.line))


def _unless(known: Summary, report: Report) -> str:
    """What a function must not be given to be surely pure, if that is all that is against it."""
    told = [one for one in known.effects.values() if one.kind in (kinds.NAMED, *_GIVEN)]
    if report.verdict != "unknown" or {_doubt_about(one) for one in told} != set(report.reasons):
        return ""
    told_kinds = {one.kind for one in told}
    if kinds.HANDS in told_kinds:
        told_kinds.add(kinds.WALKS)  # it may be used up as well
    found = [word for kind, word in _GIVEN.items() if kind in told_kinds]
    names = sorted({one.subject.path[-1][1:] for one in told if one.kind == kinds.NAMED})
    if names:
        found.append(f"an object whose {names[0]}() has an effect")
    return " or ".join(found)


def _doubt(report: Report, reason: str) -> None:
    if report.verdict == "pure":
        report.verdict = "unknown"
    if reason not in report.reasons:
        report.reasons.append(reason)


WORDS = {
    rows.CLOCK: "reads the clock",
    rows.RANDOM: "uses random numbers",
    rows.ENVIRONMENT: "reads the environment",
    rows.READS_FILES: "reads files",
    rows.WRITES_FILES: "writes files",
    rows.NETWORK: "uses the network",
    rows.STDIN: "reads standard input",
    rows.PROCESS: "depends on its process",
    rows.SETS: "changes the settings of",
}
# The environment travels with calls, and files that they read are looked at before they count.
_SEEN_IN_TIME = frozenset({rows.ENVIRONMENT, rows.READS_FILES})
_HINTS = {
    rows.CLOCK: f"{_AS_ARGUMENT}: the time as the program reads it",
    rows.RANDOM: "pass a seed, and use random.Random(seed)",
    rows.ENVIRONMENT: _AS_ARGUMENT,
    rows.READS_FILES: "if the program writes such files between calls, read them there, and pass "
    "their content",
    rows.WRITES_FILES: "return the content, and write it in the program",
    rows.NETWORK: "if that does no harm, name the function that sends the request under "
    "[assume] pure",
    rows.STDIN: "read it in the program: replicas have no standard input",
    rows.SETS: "do it where the module is imported",
}
