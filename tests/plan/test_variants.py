"""`[variants.NAME]`: each is laid over the rest of the file, and makes a whole plan of it."""

from __future__ import annotations

import pytest

from cord.errors import PlanError
from cord.plan import read_variants
from cord.plan.program import script
from cord.plan.words import BASE

PLAN = """\
[remote.compare]
replicas = 2
pure = true
functions.distance.callstyle = "async"

[assume]
pure = ["a.b"]

[variants.wide.remote.compare]
replicas = 8
functions.compare.callstyle = "async"

[variants.careful]
remote.compare.functions.distance.callstyle = "sync"
assume.pure = []

[variants.more.remote.pkg]
pure = true
"""


@pytest.fixture
def read_all(project):
    def read_all(text, *settings, names=None):
        (project / "cord.toml").write_text(text)
        return read_variants(None, list(settings), script("search.py"), names)

    return read_all


def test_tables_are_merged_and_values_replaced(read_all):
    plans = read_all(PLAN)
    assert list(plans) == [BASE, "wide", "careful", "more"]
    wide = plans["wide"].remote["compare"]
    assert (wide.replicas, wide.pure) == (8, True)
    assert wide.function("distance").callstyle == wide.function("compare").callstyle == "async"
    careful = plans["careful"].remote["compare"]
    assert (careful.replicas, careful.function("distance").callstyle) == (2, "sync")
    assert plans["careful"].assume_pure == frozenset()
    assert list(plans["more"].remote) == ["compare", "pkg"]


def test_the_file_without_a_variant_is_as_if_there_were_none(read):
    assert read(PLAN) == read(PLAN.partition("[variants")[0])


def test_an_empty_variant_is_the_file_itself(read):
    text = "[remote.compare]\npure = true\n[variants.same]"
    assert read(text, variant="same") == read(text)


def test_variants_may_be_written_first_or_inline(read):
    text = "variants = {wide = {remote.compare.replicas = 8}}\n[remote.compare]\npure = true"
    assert read(text, variant="wide").remote["compare"].replicas == 8


def test_several_are_read_in_the_order_asked_for(read_all):
    assert list(read_all(PLAN, names=["more", BASE, "wide"])) == ["more", BASE, "wide"]


class TestASetting:
    """`--set` goes before the file and before the variant."""

    def test_of_a_key_holds_in_the_variant_too(self, read_all):
        plans = read_all(PLAN, "remote.compare.replicas=3")
        assert {plan.remote["compare"].replicas for plan in plans.values()} == {3}

    def test_of_a_variants_key_holds_in_that_one(self, read_all):
        plans = read_all(PLAN, "variants.wide.remote.compare.replicas=3")
        assert plans[BASE].remote["compare"].replicas == 2
        assert plans["wide"].remote["compare"].replicas == 3

    def test_may_make_a_variant(self, read_all):
        plans = read_all("[remote.compare]\npure = true", "variants.v.remote.compare.replicas=3")
        assert plans["v"].remote["compare"].replicas == 3

    def test_is_only_for_the_plan_that_is_asked_for(self, read):
        text = "[remote.compare]\npure = true\n[variants.stateful.remote.compare]\npure = false"
        setting = "remote.compare.replicas=2"
        assert read(text, setting).remote["compare"].replicas == 2
        with pytest.raises(PlanError, match=r"in variants\.stateful, .* not declared pure"):
            read(text, setting, variant="stateful")


class TestAFileWithoutRemoteModulesOfItsOwn:
    TEXT = "[variants.one.remote.compare]\n[variants.two.remote.compare]\n[variants.none]"

    def test_has_plans_by_variant_only(self, read_all, read):
        assert list(read(self.TEXT, variant="two").remote) == ["compare"]
        text = self.TEXT.replace("[variants.none]", "")
        assert list(read_all(text)) == ["one", "two"]

    def test_says_how_to_choose_one(self, refusal):
        assert refusal(self.TEXT) == (
            "cord.toml makes no module remote: it has no [remote.M] table\n\n"
            "hint: choose a variant, by --variant one"
        )

    def test_names_a_variant_that_makes_none_remote_either(self, refusal):
        said = refusal(self.TEXT, variant="none")
        assert said.startswith("variants.none of cord.toml makes no module remote\n\nhint: for ex")


def test_a_name_that_is_not_there(refusal):
    assert refusal(PLAN, variant="wied") == (
        'cord.toml has no variant "wied"; it has wide, careful and more\n\n'
        'hint: did you mean "wide"?'
    )
    assert refusal("[remote.compare]", variant="wide") == (
        'cord.toml has no variant "wide"; it has none\n\n'
        "hint: a variant says what is other than in the rest of the file:\n\n"
        "    [variants.fast.remote.compare]\n    replicas = 4"
    )


OWN_NAME = "hint: the variant's name comes first: [variants.fast.remote.compare]"
NAMES = "allowed: a name of letters, digits, - and _"
WRONG = {
    "a wrong value": (
        "[variants.fast.remote.compare]\nreplicas = 0",
        "cord.toml:4:12: in variants.fast, remote.compare.replicas is 0; "
        "allowed: a whole number from 1 to 1024, "
        '"auto", or a list of names',
    ),
    "a wrong key": (
        "[variants.fast.remote.compare]\nreplica = 2",
        "cord.toml:4:1: in variants.fast, remote.compare.replica is not a key that Cord knows\n\n"
        'hint: did you mean "replicas"?',
    ),
    "a wrong value of what runs tell": (
        "[variants.fast.report]\nwarn = 1",
        "cord.toml:4:8: in variants.fast, report.warn is 1; allowed: true or false",
    ),
    "a wrong table": (
        "[variants.fast.compare]",
        "cord.toml:3:16: in variants.fast, compare is not a key that Cord knows\n\n"
        "hint: the table of a remote module is [remote.compare]",
    ),
    "a wrong module": (
        "[variants.fast.remote.comparer]",
        "cord.toml:3:23: in variants.fast, remote.comparer: there is no module comparer in HERE "
        'or elsewhere on Python\'s path\n\nhint: did you mean "compare"?',
    ),
    "a value for a table": (
        "variants.fast.remote.compare = 3",
        "cord.toml:3:22: in variants.fast, remote.compare is 3; "
        "allowed: a table such as [remote.compare]",
    ),
    "what is right only without the variant": (
        "[variants.many.remote.compare]\nreplicas = 4",
        "cord.toml:4:12: in variants.many, remote.compare.replicas is 4, but the functions of "
        "compare are not declared pure, and replicas do not share what a function keeps between "
        "calls; allowed: 1\n\nhint: set pure = true if the functions have no effects and depend "
        "on their arguments alone, repeatable = true if they write only "
        "what is their own, independent = true if they have effects and no call depends on "
        "another's, otherwise replicas = 1",
    ),
    "a variant inside a variant": (
        "[variants.fast.variants.faster]",
        "cord.toml:3:16: in variants.fast, variants is not a key that Cord knows\n\n"
        "hint: [variants] stands by itself",
    ),
    "a variant without a name": (
        "[variants.remote.compare]",
        f"cord.toml:3:11: variants.remote does not name a variant; {NAMES}\n\n{OWN_NAME}",
    ),
    "no tables": (
        "variants.fast = true",
        "cord.toml:3:10: variants.fast is true; allowed: a table such as [variants.fast]\n\n"
        f"{OWN_NAME}",
    ),
    "no table": (
        "variants = ['fast']",
        f'cord.toml:3:12: variants is ["fast"]; allowed: a table\n\n{OWN_NAME}',
    ),
    "names that would be taken for several": (
        "[variants.'a,b'.remote.compare]",
        f'cord.toml:3:11: variants."a,b" does not name a variant; {NAMES}',
    ),
    "the name of the program without Cord": (
        "[variants.plain.remote.compare]",
        f"cord.toml:3:11: variants.plain does not name a variant; {NAMES}\n\n"
        'hint: "plain" is the program without Cord, beside which variants are put',
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_all_variants_are_checked_whichever_is_asked_for(refusal, text, said):
    base = "remote.compare = {}\n\n"
    assert refusal(base + text) == said


def test_what_a_variant_shares_with_the_file_is_told_once(refusal):
    assert refusal(
        "[remote.compare]\nreplicas = 0\n[variants.a.remote.compare]\npure = true\n[variants.b]"
    ) == (
        "cord.toml:2:12: remote.compare.replicas is 0; allowed: a whole number from 1 to 1024, "
        '"auto", or a list of names'
    )


def test_what_is_no_key_of_the_file_is_told_once(refusal):
    said = str(refusal("[remote.compare]\n[remotes.compare]\n[variants.a]\n[variants.b]\n"))
    assert said.count("remotes is not a key that Cord knows") == 1
    assert "variants.a" not in said


def test_a_wrong_setting_names_itself(refusal):
    setting = "variants.wide.remote.compare.pure=no"
    assert refusal(PLAN, setting) == (
        f'--set {setting}: in variants.wide, remote.compare.pure is "no"; allowed: true or false'
    )
