"""What a valid cord.toml means."""

from __future__ import annotations

from pathlib import Path

import pytest

from cord.plan import FunctionPlan, Plan, RemotePlan, read_plan
from cord.plan.program import script


def test_the_smallest_useful_file(read):
    plan = read('[remote.compare]\nreplicas = 2\ncallstyle = "async"\npure = true\n')
    assert plan == Plan(
        "cord.toml",
        {"compare": RemotePlan("compare", replicas=2, callstyle="async", pure=True)},
        frozenset(),
    )


def test_every_key_has_a_default(read):
    remote = read("[remote.compare]").remote["compare"]
    assert (remote.replicas, remote.callstyle, remote.pure) == (1, "sync", False)
    assert (remote.only, remote.functions, remote.blas_threads) == (None, {}, "auto")


def test_copies_run_ahead_unless_the_plan_says_otherwise(read):
    assert read("[remote.compare]").copies
    assert read("[remote.compare]\n[run]").copies
    assert not read("[remote.compare]\n[run]\ncopies = false").copies
    assert read("[remote.compare]\n[run]\ncopies = true").copies


def test_what_copies_may_issue(read):
    assert read("[remote.compare]").speculate == "likely"
    assert read('[remote.compare]\n[run]\nspeculate = "exact"').speculate == "exact"
    assert read('[remote.compare]\n[run]\nspeculate = "off"').speculate == "off"


def test_what_runs_tell_of_themselves(read):
    plan = read("[remote.compare]")
    assert (plan.stats, plan.warn) == (False, True)
    plan = read("[remote.compare]\n[report]\nstats = true\nwarn = false")
    assert (plan.stats, plan.warn) == (True, False)


def test_a_function_takes_what_it_does_not_set_from_its_module(read):
    remote = read(
        """
        [remote.compare]
        callstyle = "async"
        [remote.compare.functions.compare]
        pure = true
        [remote.compare.functions.distance]
        callstyle = "sync"
        """
    ).remote["compare"]
    assert remote.function("compare") == FunctionPlan("compare", callstyle="async", pure=True)
    assert remote.function("distance") == FunctionPlan("distance", callstyle="sync", pure=False)
    assert remote.function("another") == FunctionPlan("another", callstyle="async", pure=False)


def test_only_narrows_and_keeps_its_order(read):
    plan = read('[remote.compare]\nonly = [\n  "distance",\n  "compare", "distance",\n]')
    assert plan.remote["compare"].only == ("distance", "compare")


def test_modules_of_packages_are_quoted_and_keep_the_order_of_the_file(read):
    plan = read('[remote."pkg.deep.model"]\n[remote.compare]\n[remote."pkg.mod"]\n[remote.pkg]')
    assert list(plan.remote) == ["pkg.deep.model", "compare", "pkg.mod", "pkg"]


def test_a_module_in_a_folder_without_init_is_found(read):
    assert list(read('[remote."plain.part"]').remote) == ["plain.part"]


def test_a_module_from_anywhere_on_the_path_can_be_remote(read):
    assert list(read("[remote.json]\n[remote.math]").remote) == ["json", "math"]


def test_a_module_may_be_missing_if_the_program_imports_it(read, project):
    (project / "search.py").write_text("import sys\nsys.path.append('lib')\nfrom zzz import f\n")
    plan = read('[remote.zzz]\nonly = ["f"]\nfunctions.f.pure = true')
    assert plan.remote["zzz"].function("f").pure


def test_a_module_may_be_missing_if_a_module_beside_the_program_imports_it(read, project):
    (project / "compare.py").write_text("def f():\n    import deep.zzz\n")
    assert list(read('[remote."deep.zzz"]').remote) == ["deep.zzz"]


@pytest.mark.parametrize("value", ['"auto"', '"all"', "1", "1024"])
def test_threads_of_numerical_libraries(read, value):
    remote = read(f"[remote.compare]\nblas_threads = {value}").remote["compare"]
    assert str(remote.blas_threads) == value.strip('"')


@pytest.mark.parametrize(
    ("text", "pure"),
    [
        ("", False),
        ("pure = true", True),
        ("pure = true\nfunctions.compare.pure = false", False),
        ("functions.compare.pure = true", False),
        ('functions.compare.pure = true\nonly = ["compare"]', True),
    ],
)
def test_whether_all_functions_are_pure(read, text, pure):
    assert read(f"[remote.compare]\n{text}").remote["compare"].is_pure is pure


def test_assume_pure(read):
    plan = read('[remote.compare]\n[assume]\npure = ["Bio.SeqIO.parse", "sys.stdin"]')
    assert plan.assume_pure == {"Bio.SeqIO.parse", "sys.stdin"}


@pytest.mark.parametrize(
    "text",
    [
        'only = ["compare"]\nfunctions.compare.pure = true',
        'pure = true\nonly = ["compare"]\nfunctions = { compare = { callstyle = "async" } }',
        "pure = true",
    ],
)
def test_several_replicas_serve_functions_that_are_all_pure(read, text):
    assert read(f"[remote.compare]\nreplicas = 4\n{text}").remote["compare"].replicas == 4


def test_all_styles_of_toml_are_one(read):
    table = read("[remote.compare]\nreplicas = 2\npure = true")
    assert read("remote.compare = { replicas = 2, pure = true }") == table
    assert read("remote.compare.replicas = 2\nremote.compare.pure = true") == table
    assert read("\ufeff[remote]\r\ncompare.replicas = 0x2\r\ncompare.pure = true\r\n") == table


def test_a_plan_does_not_change(read):
    with pytest.raises(AttributeError):
        read("[remote.compare]").remote["compare"].replicas = 3


class TestWhereThePlanIsLookedFor:
    def test_beside_the_program_first(self, project: Path, monkeypatch):
        (project / "cord.toml").write_text("[remote.compare]")
        elsewhere = project / "plain"
        (elsewhere / "cord.toml").write_text("[remote.pkg]")
        monkeypatch.chdir(elsewhere)
        assert read_plan(None, [], script("../search.py")).path == "../cord.toml"

    def test_else_in_the_current_folder(self, project: Path, monkeypatch):
        elsewhere = project / "plain"
        (elsewhere / "cord.toml").write_text("[remote.compare]")
        monkeypatch.chdir(elsewhere)
        assert read_plan(None, [], script(str(project / "search.py"))).path == "cord.toml"

    def test_a_file_that_is_named_goes_before_both(self, project: Path):
        (project / "cord.toml").write_text("[remote.compare]")
        (project / "other.toml").write_text("[remote.pkg]")
        assert list(read_plan("other.toml", [], script("search.py")).remote) == ["pkg"]

    def test_modules_stand_beside_the_file_that_a_link_leads_to(self, project: Path):
        link = project / "plain" / "linked.py"
        link.symlink_to(project / "search.py")
        (project / "plain" / "cord.toml").write_text("[remote.compare]")
        assert list(read_plan(None, [], script(str(link))).remote) == ["compare"]


def test_the_program_itself_goes_by_its_stem(read):
    remote = read("[remote.search]\npure = true").remote["search"]
    assert remote.is_program
    assert not read("[remote.compare]").remote["compare"].is_program
