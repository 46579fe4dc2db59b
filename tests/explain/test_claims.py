"""What ``cord explain`` claims of a call is what a run then does.

Every program of the corpus is explained, and run with its calls counted. A call that is claimed to
be made in place is never answered by a scout; one that is claimed to be made ahead is, when it was
made often enough to tell, unless a guard told of an object that it was refused. What else the text
cannot tell is named below.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from claims_lab import CORPUS, SHAPES, Answers, Case, Claim, claims, lay_out, lets_scouts_run, run

from cord.tools.explain.claims import AHEAD, IN_PLACE, PERHAPS
from sampling import sample

# So often a program is run before a claim counts as broken: a busy machine leaves scouts no time,
# and where calls raise, chance decides how many more a scout has made by then.
TRIES = 8
# How often a call must have been made before a scout is expected: the first time it is born.
OFTEN = 3

# Claimed to be ahead, and made in place: why, and where.
UNSEEN = {
    "operators, attributes, classes or finalizers run code of the program's own": {
        "effects/attribute_hooks": {8, 10},
        "functions/getters_of_texts": {8, 10},
        "functions/metaclasses_look_on": {35},
        "functions/vectors": {15, 17},
        "values/classes_with_reducers": {11},
        "effects/classes_that_die": {13, 15},
        "functions/call_results_called": {6},
        "functions/initializers_that_call": {107},
        "functions/operators_that_call": {13, 87},
        "program/inventory_of_classes": {47},
        "values/results_with_hooks": {6, 7},
    },
    "an object is made or changed, which slices leave to copies": {
        "abstract_classes_with_super": {17, 40},
        "ahead/classes_of_client_modules": {9},
        "classes_named_and_checked": {29},
        "instances_made_ahead": {58},
        "instances_that_call": {14, 53},
        "functions/values_that_change": {27, 36},
    },
    "encoding an argument, or decoding a result, could run code of the program's own": {
        "script/methods_under_other_names": {21},
        "script/versions": {33},
        "values/aliases": {28},
        "values/aliases_of_arguments": {24},
        "values/arrays_through_memoryview": {12},
        "values/dataclasses_both_ways": {7},
    },
    "what is walked is an iterator": {
        "effects/operators_of_a_vector": {31},
        "functions/stars_over_own_iterators": {14},
        "iteration/iterators_asked_once": {68},
        "iteration/sequences_by_index": {11, 12, 15},
        "chains_of_generators": {11, 16},
        "generators_inside_loops": {17},
        "helpers_that_read_files": {13},
        "iterators_of_own_classes": {62},
        "assumed/file_that_is_written": {15, 36},
        "assumed/generators_in_parts": {32, 36, 40, 43, 44, 47},
        "assumed/iterator_that_fails": {27},
        "assumed/stdin_in_parts": {18},
        "comprehensions/generators_read_elsewhere": {20},
        "comprehensions/pipeline_of_generators": {5},
        "control/generators_driving_each_other": {17, 24},
        "iteration/endless": {29},
        "iteration/lazy_iterators_with_effects": {6},
        "program/word_stems_by_generators": {16, 21},
        "threads/locks_and_queues": {18},
    },
    "a function changes what the scout takes to stay as it is": {
        "generators_of_random_numbers": {43},
        "effects/nonlocal_and_closures": {20},
        "functions/closures_of_many_kinds": {35, 36},
        "functions/dispatch_that_changes": {32},
        "functions/keys_of_a_sort": {26},
        "modules/mocked_in_many_ways": {4, 5},
    },
    "the value grows until it is too large to compute ahead": {
        "ahead/numbers_grow_past_the_break": {11},
    },
    "the items of a generator expression are computed twice": {
        "loops_over_generated": {6},
    },
    "what may call any function never calls this one": {
        "comprehensions/variables_shared_with_functions": {7, 12},
    },
    "its generators are all made before the first remote call": {
        "control/scheduler_of_generators": {13},
    },
    "a class of the program's does otherwise than the library's that it is made from": {
        "values/records_replaced": {37},
    },
    "calls before it at which scouts were wrong have made them rare": {
        "iteration/library_iterators_in_the_loop": {63},
        "iteration/own_iterators_left_early": {68, 73},
    },
    "what calls read is set anew, and of few turns all are made that were sent before that": {
        "classes/remote_methods": {21},
    },
    "all items are taken at once of what still waits for calls": {
        "comprehensions/stars_over_generators": {15, 16, 20, 21, 25},
    },
    "a generator goes into itself, deeper than scouts hand over": {
        "comprehensions/recursive_generators": {14},
    },
    "an object of a class of the program's is added to": {
        "late/state_that_others_hold": {141},
    },
    "arguments or results cannot travel": {
        "values/views_of_dicts_come_back": {12, 16},
        "values/what_cannot_travel": {26, 27, 29, 42},
    },
    "what the program has changed of a module cannot travel": {
        "told/logger_without_a_name": {8, 11, 15},
    },
    "a result has something of its arguments, which are the program's own": {
        "forwarding/objects_of_the_script": {15, 16, 20},
        "script/script_and_module": {22},
    },
    "a dict changes while it is walked": {
        "iteration/dicts_sets_and_views": {8},
    },
    "an argument is an object of the module's, which code may know by its identity": {
        "identity/callbacks_in_a_list": {18},
        "identity/results_from_a_module": {8, 13, 21, 28, 30},
        "identity/results_from_a_module_in_no_order": {4, 7},
        "identity/constants_of_classes": {4, 5, 6, 9},
        "identity/plans_as_keys": {5},
        "identity/players_in_a_registry": {5},
    },
}
EXCEPTIONS = {name: lines for found in UNSEEN.values() for name, lines in found.items()}

MARK = re.compile(r"  # ((?:ahead|waits|perhaps|in place)(?:, (?:ahead|waits|perhaps|in place))*)$")


def broken(case: Case, folder: Path) -> list[str]:
    """The claims of a program that its runs do not keep, in words."""
    answers: dict[tuple[str, int], Answers] = {}
    unkept: list[Claim] = []
    for number in range(TRIES):
        there = folder / str(number)
        environment = lay_out(case, there)
        unkept = claims(there)
        if "told" in case.options or not lets_scouts_run(there):  # the program makes the calls
            return []
        for site, answer in run(case, there, environment).items():
            answers[site] = answer.plus(answers.get(site))
        unkept = [
            claim
            for claim in unkept
            if claim.site in answers
            and not is_kept(claim, answers[claim.site], OFTEN * (number + 1))
            and claim.line not in EXCEPTIONS.get(case.name, ())
        ]
        if all(claim.verdict == IN_PLACE for claim in unkept):
            break
    return [f"{one.place}: {one.call} is {one.verdict}: {answers[one.site]}" for one in unkept]


@pytest.mark.parametrize("case", sample(CORPUS, 12, of="claims"), ids=lambda case: case.name)
def test_a_run_does_what_is_claimed(case: Case, tmp_path: Path) -> None:
    found = broken(case, tmp_path)
    assert not found, "\n".join(found)


def is_kept(claim: Claim, answer: Answers, often: int) -> bool:
    """Whether runs kept what was claimed of a call, if it was made often enough to tell."""
    if claim.verdict == IN_PLACE:
        return answer.ahead + answer.just_then == 0
    if claim.verdict == PERHAPS or sum(answer[:3]) < often or answer.refused > 0:
        return True
    if any(assumed.endswith("can change it)") for assumed in claim.assumes):
        return True
    return answer.ahead > 0 or (bool(claim.waits) and answer.just_then > 0)


@pytest.mark.parametrize("case", SHAPES, ids=lambda case: case.name)
def test_the_shapes_say_what_is_claimed(case: Case, tmp_path: Path) -> None:
    """Lines of the shapes end in what is claimed of their calls, from left to right."""
    lay_out(case, tmp_path)
    found: dict[str, list[str]] = {}
    for claim in claims(tmp_path):
        found.setdefault(claim.place, []).append(verdict(claim))
    assert found == marked(case)


def verdict(claim: Claim) -> str:
    """The word for a claim in the shapes."""
    if claim.verdict == AHEAD:
        return "waits" if claim.waits else "ahead"
    return "perhaps" if claim.verdict == PERHAPS else "in place"


def marked(case: Case) -> dict[str, list[str]]:
    """What the lines of a shape say of their calls."""
    return {
        f"{name}:{number}": mark[1].split(", ")
        for name, text in case.files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
    }
