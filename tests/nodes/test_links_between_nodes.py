"""Replicas pass calls and values to one another, on one node and from node to node."""

from __future__ import annotations

import pytest

LINE = """
    [remote.work]
    replicas = 4
    repeatable = true
    callstyle = "async"
    topology = "line"
"""
NOTING = """
    import os, time
    def noted(n):
        time.sleep(0.002)
        with open("served", "a") as file:
            file.write(f"{os.getsid(0)}\\n")
        return n
"""


@pytest.mark.parametrize("nodes", [1, 2])
def test_a_fast_replica_of_a_ring_helps_a_slow_one(far, nodes):
    far.write(
        plan="""
            [remote.work]
            replicas = 2
            speed = [1, 10]
            topology = "ring"
            repeatable = true
            callstyle = "async"
        """,
        engine=f"""
            kind = "command"
            nodes = {nodes}
            launch = "sh -c '{"{agent} & " * nodes} wait'"
        """,
        work=NOTING.replace("getsid(0)", "getpid()"),
        main="""
            import work
            print([work.noted(n) for n in range(300)])
        """,
    )
    assert far.run() == (0, f"{list(range(300))}\n", "")
    served = (far.folder / "served").read_text().split()
    shares = sorted(served.count(process) for process in set(served))
    assert len(shares) == 2 and shares[1] > 2 * shares[0]  # given alike, they have moved


def test_a_call_that_moves_to_another_node_finds_its_content(far):
    far.write(
        plan=LINE + 'resident = ["data"]\n',
        work="""
            import time
            def look(data, n):
                time.sleep(0.002)
                return data[0], n
        """,
        main="""
            import work
            contents = [bytearray([number]) * 20_000 for number in range(3)]
            print([work.look(contents[n % 3], n) for n in range(200)])
        """,
    )
    assert far.run() == (0, f"{[(n % 3, n) for n in range(200)]}\n", "")


@pytest.mark.parametrize("size", [10, 300_000])
def test_values_are_passed_on_from_node_to_node(far, size):
    far.write(
        work="""
            import os
            def made(n, size):
                return [os.getsid(0), bytes([n]) * size]
            def told(value, n):
                there, made = value
                return there != os.getsid(0), made[0], len(made)
        """,
        main=f"""
            import work
            told = [work.told(work.made(n, {size}), n) for n in range(60)]
            print([made[1:] for made in told])
        """,
    )
    assert far.run() == (0, f"{[(n, size) for n in range(60)]}\n", "")


@pytest.mark.parametrize("topology", ["line", "ring", "full"])
def test_calls_on_their_way_between_nodes_outlive_a_node(far, topology):
    far.write(
        plan=LINE.replace("line", topology) + "inline = false\n",
        engine="""
            kind = "command"
            nodes = 2
            reconnect = 0
            launch = "sh -c '{agent} & {agent} & wait'"
        """,
        work="""
            import os, time
            def nap(n):
                time.sleep(0.004)
                if n == 60 and not os.path.exists("killed"):
                    open("killed", "x").close()
                    os.kill(os.getsid(0), 9)
                return n * n
        """,
        main="""
            import work
            print([work.nap(n) for n in range(300)])
        """,
    )
    code, stdout, stderr = far.run()
    assert (code, stdout) == (0, f"{[n * n for n in range(300)]}\n"), stderr
    assert "is lost" in stderr
