"""Machines of unequal speed: control groups with CPU quotas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from lab.common.places import LAB
from lab.common.presence import cpu_group

PERIOD = 20_000  # microseconds; short, so that a machine is slow evenly
GROUP = LAB / "common" / "group.sh"
IN_GROUPS = LAB / "common" / "in-groups.sh"


def within(name: str) -> tuple[str, ...]:
    """What a command begins with that runs on such a machine."""
    return ("sh", str(GROUP), name)


@contextmanager
def machines(speeds: Mapping[str, float]) -> Iterator[None]:
    """Have machines of such speeds, in cores, while the block runs; none if that is not allowed."""
    folder = cpu_group()
    made: list[Path] = []
    try:
        if folder is not None:
            for name, speed in speeds.items():
                group = folder / f"cordlab-{name}"
                group.mkdir(exist_ok=True)
                made.append(group)
                (group / "cpu.cfs_period_us").write_text(str(PERIOD))
                (group / "cpu.cfs_quota_us").write_text(str(max(1000, round(speed * PERIOD))))
        yield
    finally:
        for group in made:
            with suppress(OSError):
                group.rmdir()
