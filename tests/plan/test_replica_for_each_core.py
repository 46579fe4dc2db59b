"""`replicas = "auto"`: as many as the engine has cores."""

from __future__ import annotations

import pytest

from cord import _core
from cord.errors import PlanError

PURE = '[remote.compare]\nreplicas = "auto"\npure = true\n'
NODES = {
    'kind = "ray"\nnodes = 3\ncores = 4': 12,
    'kind = "dask"\nnodes = 3\ncores = 4': 12,
    'kind = "dask"\naddress = "tcp://10.0.0.1:8786"\nnodes = 3': None,
    'kind = "ssh"\nhosts = ["a", "b"]': None,
    'kind = "mpi"\nnodes = 3': None,
}


def test_here_it_is_what_this_process_may_use(read):
    assert read(PURE).remote["compare"].replicas == _core.means()[0]


def test_it_is_counted_anew_where_the_plan_was_kept(read, monkeypatch):
    read(PURE)
    monkeypatch.setattr("cord.plan.read.means", lambda: (7, None, None))
    assert read(PURE).remote["compare"].replicas == 7


@pytest.mark.parametrize(("engine", "cores"), NODES.items())
def test_on_nodes_it_is_known_where_the_plan_says_how_many_cores_they_have(
    read, engine: str, cores: int | None
):
    plan = read(f"{PURE}[remote.pkg]\nreplicas = 2\npure = true\n[engine]\n{engine}")
    assert plan.remote["compare"].replicas == (cores or 0)
    assert plan.replicas == (cores and cores + 2)
    joined = plan.on_cores(5)
    assert [one.replicas for one in joined.remote.values()] == [5, 2]
    assert joined.replicas == 7


def test_there_are_no_more_than_a_module_may_have(read):
    assert read(PURE).on_cores(5000).replicas == 1024


WRONG = {
    '[remote.compare]\nreplicas = "auto"': (
        'replicas is "auto", but the functions of compare are not declared pure, and replicas'
    ),
    f"{PURE}speed = [1]": 'replicas is "auto"; allowed: a speed for each replica',
    f'{PURE}loadratio = "1:1"': 'replicas is "auto"; allowed: a share for each replica',
    f'{PURE}topology = "ring"': (
        'topology is "ring", but replicas is "auto"; allowed: a number of them, or names'
    ),
    '[remote.compare]\nreplicas = "autos"': 'hint: did you mean "auto"?',
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_what_needs_a_number_is_refused(read, text: str, message: str):
    with pytest.raises(PlanError) as caught:
        read(text)
    assert message in str(caught.value)
