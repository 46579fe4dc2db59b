"""The section that says where replicas live."""

from __future__ import annotations

import pytest

from cord.errors import PlanError

REMOTE = "[remote.compare]\n[engine]\n"


def test_ray_and_dask_find_a_cluster_or_are_told_one(read):
    engine = read(f'{REMOTE}kind = "ray"\nnodes = 4\ncores = 2').engine
    assert (engine.kind, engine.address, engine.nodes, engine.cores) == ("ray", None, 4, 2)
    assert (engine.agents, engine.is_local) == (4, False)
    engine = read(f'{REMOTE}kind = "dask"\naddress = "tcp://10.0.0.1:8786"').engine
    assert (engine.address, engine.nodes, engine.cores) == ("tcp://10.0.0.1:8786", 1, 1)


def test_agents_on_ray_are_given_what_the_plan_asks_for(read):
    engine = read(f'{REMOTE}kind = "ray"').engine
    assert engine.resources == {}
    engine = read(f'{REMOTE}kind = "ray"\nresources = {{ GPU = 2.0, tape = 0.5 }}').engine
    assert engine.resources == {"GPU": 2, "tape": 0.5}
    assert type(engine.resources["GPU"]) is int


def test_pods_are_of_an_image_and_have_an_interpreter_of_its_own(read):
    engine = read(f'{REMOTE}kind = "kubernetes"\nimage = "me/cord:1"\nnodes = 3\ncores = 2').engine
    assert (engine.image, engine.python, engine.agents) == ("me/cord:1", "python3", 3)
    assert engine.known_cores == 6
    more = 'python = "/opt/bin/python"\nresources = { "nvidia.com/gpu" = 1 }'
    engine = read(f'{REMOTE}kind = "kubernetes"\nimage = "me/cord:1"\n{more}').engine
    assert (engine.python, engine.resources) == ("/opt/bin/python", {"nvidia.com/gpu": 1})


def test_tasks_of_hyperqueue_are_as_many_as_the_plan_says(read):
    engine = read(f'{REMOTE}kind = "hq"\nnodes = 3\nlisten = "10.0.0.1"').engine
    assert (engine.agents, engine.listen, engine.launch) == (3, "10.0.0.1", None)


def test_workers_that_are_started_have_as_many_cores_as_the_plan_says(read):
    assert read(f'{REMOTE}kind = "dask"\ncores = 2').engine.cores == 2
    assert read(f'{REMOTE}kind = "dask"\naddress = "local"\ncores = 2').engine.cores == 2


def test_an_agent_that_stands_is_found_at_an_address_or_by_its_name(read):
    engine = read(f'{REMOTE}kind = "standing"\nhosts = ["a:1"]\nkeys = "k"\nname = "lab"').engine
    assert (engine.hosts, engine.keys, engine.address) == (("a:1",), "k", None)
    engine = read(f'{REMOTE}kind = "standing"\naddress = "auto"\nname = "lab"').engine
    assert (engine.address, engine.name, engine.agents) == ("auto", "lab", 1)


def test_files_are_sent_where_the_plan_says_so(read):
    engine = read(f'{REMOTE}kind = "ssh"\nhosts = ["a"]').engine
    assert (engine.code, engine.files, engine.cpu) == ("shared", (), "same")
    engine = read(
        f'{REMOTE}kind = "ssh"\nhosts = ["a"]\ncode = "send"\nfiles = ["data/*.json"]\n'
        'cpu = "baseline"'
    ).engine
    assert (engine.code, engine.files, engine.cpu) == ("send", ("data/*.json",), "baseline")


WRONG = {
    'kind = "mpi"\ncode = "sent"': 'engine.code is "sent"; allowed: "shared" or "send"',
    'kind = "mpi"\nfiles = ["a"]': (
        "engine.files has no meaning where nodes see all files\n\n"
        'hint: set engine.code = "send" where they do not'
    ),
    'kind = "mpi"\ncode = "send"\nfiles = ["../a"]': (
        "hint: files are named from the program's folder on, and lie in it"
    ),
    'kind = "mpi"\ncpu = "base"': 'engine.cpu is "base"; allowed: "same", "baseline" or "any"',
    'code = "send"': 'engine.code has no meaning where kind is "local"',
    'kind = "rai"': 'hint: did you mean "ray"?',
    'kind = "ssh"\nhosts = ["a", "me@b:22"]': (
        '"me@b:22" in engine.hosts has a port, as ssh takes none\n\nhint: write "ssh://me@b:22"'
    ),
    'kind = "ssh"\nhosts = ["a"]\naddress = "b"': (
        'engine.address has no meaning where kind is "ssh"; allowed with "standing" or "ray" or '
    ),
    'kind = "standing"\naddress = "a:1"': (
        'engine.kind is "standing", but there is no engine.name'
    ),
    'kind = "standing"\naddress = "a:1"\nname = "b"\nkeys = "k"': (
        "engine.keys has no meaning where Ray tells it\n\n"
        "hint: engine.address names the cluster that knows the agent by its name"
    ),
    'kind = "standing"\naddress = "local"\nname = "b"': (
        "nobody stands in a cluster that is started for the run"
    ),
    'kind = "ray"\nlaunch = "srun {agent}"': (
        'engine.launch has no meaning where kind is "ray"; allowed with "command" or "mpi" or '
    ),
    'kind = "slurm"\ncores = 2': 'allowed with "ray" or "dask"',
    'kind = "standing"\nhosts = ["a:1"]\nkeys = "k"': (
        'engine.kind is "standing", but there is no engine.name\n\n'
        'hint: write for instance name = "search"'
    ),
    'kind = "ssh"\nhosts = ["a"]\nname = "b"': (
        'engine.name has no meaning where kind is "ssh"; allowed with "standing"'
    ),
    'kind = "ray"\ncores = 0': "engine.cores is 0; allowed: a whole number from 1 to 1024",
    'kind = "ray"\naddress = ""': 'engine.address is ""; allowed: an address such as',
    'kind = "ray"\nresources = { GPU = 1.5 }': (
        "engine.resources.GPU is 1.5; the key takes a table of whole numbers, or numbers below 1"
    ),
    'kind = "ray"\nresources = { tape = 0 }': "engine.resources.tape is 0; the key takes",
    'kind = "ray"\nresources = { tape = nan }': "engine.resources.tape is nan; the key takes",
    'kind = "ray"\nresources = { tape = true }': "engine.resources.tape is true; the key takes",
    'kind = "ray"\nresources = { CPU = 2 }': (
        "hint: engine.cores says how many cores an agent has"
    ),
    'kind = "ray"\nresources = { memory = 9 }': "hint: Ray holds nobody to it; engine.cores says",
    'kind = "ray"\nresources = 1': "engine.resources is 1; allowed: a table of whole numbers",
    'kind = "dask"\nresources = { GPU = 1 }': (
        'engine.resources has no meaning where kind is "dask"; allowed with "ray"'
    ),
    'kind = "dask"\naddress = "a:1"\ncores = 2': (
        "engine.cores has no meaning where workers are there already\n\n"
        "hint: an agent has as many cores as its worker has threads"
    ),
    'kind = "kubernetes"': (
        'engine.kind is "kubernetes", but there is no engine.image\n\n'
        'hint: write for instance image = "registry.local/me/cord:1"'
    ),
    'kind = "kubernetes"\nimage = "a"\nreconnect = 2': (
        'engine.reconnect has no meaning where kind is "kubernetes"; allowed with "standing"'
    ),
    'kind = "hq"\nlaunch = "hq submit {agent}"': (
        'engine.launch has no meaning where kind is "hq"; allowed with "command"'
    ),
    "cores = 2": 'engine.cores has no meaning where kind is "local"; allowed with "ray" or "dask"',
}


@pytest.mark.parametrize(("lines", "message"), WRONG.items())
def test_what_is_wrong_is_said(read, lines: str, message: str):
    with pytest.raises(PlanError) as caught:
        read(REMOTE + lines)
    assert message in str(caught.value)


def test_keys_of_a_kind_that_there_is_not_are_not_judged(read):
    with pytest.raises(PlanError) as caught:
        read(f'{REMOTE}kind = "pbs"\nnodes = 4\nhosts = ["a:1"]')
    assert 'engine.kind is "pbs"' in str(caught.value)
    assert "has no meaning" not in str(caught.value)


def test_hosts_of_ssh_are_what_ssh_takes(read):
    hosts = ["a", "me@b", "ssh://me@b:22", "::1", "fe80::1:22"]
    written = ", ".join(f'"{host}"' for host in hosts)
    assert read(f'{REMOTE}kind = "ssh"\nhosts = [{written}]').engine.hosts == tuple(hosts)
