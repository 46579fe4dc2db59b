"""The plan: cord.toml, read, checked as a whole and turned into plain objects."""

from __future__ import annotations

from cord.plan.model import FunctionPlan, Plan, RemotePlan
from cord.plan.read import read_plan, read_variants

__all__ = ["FunctionPlan", "Plan", "RemotePlan", "read_plan", "read_variants"]
