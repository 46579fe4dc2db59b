"""Agents on the nodes of a Ray cluster: an actor for each, in a bundle of one placement group."""

from __future__ import annotations

import math
import os
from typing import Any

from cord.engines.nodes.launchers import placed, ray_cluster
from cord.engines.nodes.launchers.placed import run_agent
from cord.errors import CordError

# Seconds between two looks at whether the run is over.
_PAUSE = 0.2
# The resources that are devices, which Ray finds by itself, with the variables by which it tells an
# actor which are its own.
_DEVICES = {
    "GPU": (
        *("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
        *("ZE_AFFINITY_MASK", "ONEAPI_DEVICE_SELECTOR"),
    ),
    "TPU": ("TPU_VISIBLE_CHIPS", "TPU_CHIPS_PER_HOST_BOUNDS", "TPU_HOST_BOUNDS"),
    "neuron_cores": ("NEURON_RT_VISIBLE_CORES",),
    "HPU": ("HABANA_VISIBLE_MODULES",),
    "NPU": ("ASCEND_RT_VISIBLE_DEVICES",),
    "RBLN": ("RBLN_DEVICES",),
    "FURIOSA": ("FURIOSA_DEVICES",),
    "MBLT": ("QBRUNTIME_VISIBLE_DEVICES",),
    "TTNPU": ("TT_VISIBLE_DEVICES",),
}


class Place:
    """An actor: where it is, an agent runs. Its call is pending as long as the agent lives."""

    def run(self, command: list[str], environment: dict[str, str]) -> str | None:
        """See `placed.run_agent`."""
        return run_agent(command, environment)


def start(run: placed.Run) -> None:
    """Have Ray start agents; returns when all have ended, or the run.

    Raises:
        CordError: There is no Ray, no cluster, or no room in it.
    """
    ray = ray_cluster.imported()
    from ray.util import placement_group, remove_placement_group

    _connect(ray, run)
    bundle = {"CPU": run.cores, **run.resources}
    group = placement_group([bundle] * run.nodes, strategy="SPREAD")
    try:
        while not group.wait(_PAUSE):
            if run.is_over():
                return
            if run.has_waited():
                raise _no_room(ray, run)
        _serve(ray, run, group)
    finally:
        remove_placement_group(group)
        ray.shutdown()


def _connect(ray: Any, run: placed.Run) -> None:
    if run.address != "local":
        hint = 'engine.address = "local" starts one on this machine'
        try:
            ray_cluster.connect(ray, run.address, run.left(), run.cannot, hint)
            return
        except CordError as error:
            if run.address is not None or error.hint == ray_cluster.TOKEN_HINT:
                raise  # there is one
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody has asked for a cluster
    ray.init(
        "local",
        num_cpus=run.nodes * run.cores,
        resources=_made_up(run),
        include_dashboard=False,
        **ray_cluster.QUIET,
    )


def _made_up(run: placed.Run) -> dict[str, int]:
    """What a cluster that is started for the run says it has, besides cores and devices."""
    return {
        name: math.ceil(amount * run.nodes)
        for name, amount in run.resources.items()
        if name not in _DEVICES
    }


def _no_room(ray: Any, run: placed.Run) -> CordError:
    whole, free = ray.cluster_resources(), ray.available_resources()
    nodes = sum(node["Alive"] for node in ray.nodes())
    asked = " + ".join(
        f"{amount:g} {name}" for name, amount in {"CPU": run.cores, **run.resources}.items()
    )
    found = ", ".join(
        f"{free.get(name, 0):g} of {whole.get(name, 0):g} {name}"
        for name in ("CPU", *run.resources)
    )
    keys = "engine.nodes, engine.cores and engine.resources"
    return CordError(
        f"Ray has had no room for {run.nodes} x {asked} in {run.limit:g} s: "
        f"free are {found}, on {nodes} nodes",
        f"{keys if run.resources else 'engine.nodes and engine.cores'} say how much is asked for; "
        "ray status shows who has it",
    )


def _serve(ray: Any, run: placed.Run, group: Any) -> None:
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

    # nodes need not have this module where their own interpreter finds it
    ray.cloudpickle.register_pickle_by_value(placed)
    others = {name: amount for name, amount in run.resources.items() if name != "GPU"}
    actor = ray.remote(
        max_restarts=0,
        max_task_retries=0,
        num_cpus=run.cores,
        num_gpus=run.resources.get("GPU", 0),
        resources=others,
    )(Place)
    places = [
        actor.options(
            scheduling_strategy=PlacementGroupSchedulingStrategy(
                group, placement_group_bundle_index=index
            )
        ).remote()
        for index in range(run.nodes)
    ]
    devices = [name for one in run.resources for name in _DEVICES.get(one, ())]
    pending = {
        place.run.remote(run.command, run.environment(run.cores, str(index), devices)): str(index)
        for index, place in enumerate(places)
    }
    while pending and not run.is_over():
        ended, _ = ray.wait([*pending], timeout=_PAUSE)
        for call in ended:
            run.has_ended(pending.pop(call), _why(ray, call))


def _why(ray: Any, call: Any) -> str | None:
    """Why an agent has ended, as it says itself, or else Ray."""
    try:
        said: str | None = ray.get(call)
    except ray.exceptions.RayError as error:
        return f"Ray has lost an agent: {ray_cluster.reason_of(str(error))}"
    return said


if __name__ == "__main__":
    placed.serve(start)
