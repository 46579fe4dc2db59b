"""Agents that mpiexec starts."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
pytestmark = pytest.mark.skipif(
    shutil.which("mpiexec", path=PATH) is None, reason="there is no mpiexec"
)


def test_a_program_runs_on_nodes_that_mpiexec_serves(far):
    far.write(
        engine='kind = "mpi"\nnodes = 2\n',
        work="""
            import os, time
            def session(n):
                time.sleep(0.1)
                return os.getsid(0)
        """,
        main="""
            import work
            print(len({work.session(n) for n in range(16)}))
        """,
    )
    assert far.run(PATH=PATH) == (0, "2\n", "")
