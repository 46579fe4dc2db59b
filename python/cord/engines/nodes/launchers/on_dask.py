"""Agents beside the workers of a Dask cluster: a task for each worker, as long as the run."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from cord.engines.nodes.launchers import placed
from cord.engines.nodes.launchers.placed import run_agent
from cord.errors import CordError

# Seconds between two looks at which workers there are.
_PAUSE = 0.5


def _run_agent(command: list[str], environment: dict[str, str]) -> str | None:
    """See `placed.run_agent`; Dask passes on the text of functions of a main script only."""
    return run_agent(command, environment)


def start(run: placed.Run) -> None:
    """Have Dask start agents; returns when the run is over.

    Raises:
        CordError: There is no Dask, no scheduler, or there are too few workers.
    """
    try:
        import cloudpickle
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise CordError(
            f"Dask cannot be imported by {sys.executable}: {error}", "pip install 'cord-run[dask]'"
        ) from None
    # workers need not have this module where their own interpreter finds it
    cloudpickle.register_pickle_by_value(placed)
    with ExitStack() as stack:
        where: Any = run.address
        if where in (None, "local"):
            folder = stack.enter_context(TemporaryDirectory(prefix="cord-"))
            stack.enter_context(dask.config.set({"temporary-directory": folder}))
            where = LocalCluster(
                n_workers=run.nodes,
                threads_per_worker=run.cores,
                processes=False,
                dashboard_address=None,
            )
            stack.enter_context(where)
        try:
            client = Client(where, timeout=run.left(), set_as_default=False)
        except (OSError, ValueError) as error:
            raise CordError(
                f"there is no Dask scheduler at {run.address}: {error}",
                "without engine.address, one is started on this machine",
            ) from None
        stack.enter_context(client)
        _wait_for_workers(run, client)
        _serve(run, client)


def _wait_for_workers(run: placed.Run, client: Any) -> None:
    try:
        client.wait_for_workers(run.nodes, timeout=run.left())
    except TimeoutError:
        raise CordError(
            f"Dask has had {len(client.nthreads())} workers in {run.limit:g} s, and engine.nodes "
            f"wants {run.nodes}"
        ) from None


def _serve(run: placed.Run, client: Any) -> None:
    tasks: dict[str, Any] = {}
    while True:
        workers = client.nthreads()
        for worker in tasks.keys() - workers.keys():
            tasks.pop(worker).cancel()
            run.has_ended(worker, f"Dask has lost the worker {worker}")
        new = {worker: cores for worker, cores in workers.items() if worker not in tasks}
        if not tasks:
            run.expect(len(new))
        for worker, cores in new.items():
            tasks[worker] = client.submit(
                *(_run_agent, run.command, run.environment(cores, worker)),
                workers=[worker],
                pure=False,
                retries=0,
            )
            tasks[worker].add_done_callback(partial(_hear, run, worker))
        if run.is_over(_PAUSE):
            return


def _hear(run: placed.Run, worker: str, task: Any) -> None:
    if task.status == "finished":
        run.has_ended(worker, task.result())
    elif task.status == "error":
        why = str(task.exception()).partition("\n")[0]
        run.has_ended(worker, f"Dask has lost an agent: {why}")


if __name__ == "__main__":
    placed.serve(start)
