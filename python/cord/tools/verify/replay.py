"""Recorded calls, made once more in a process that has nothing of the program."""

from __future__ import annotations

import importlib
import json
import pickle
import sys
import time

from cord.tools.verify.probe import ELSEWHERE, PATIENCE, outcome, same


def main(arguments: list[str]) -> None:
    """Make the calls of a request's record in their order; write down what comes out otherwise."""
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    if not sys.flags.safe_path:
        sys.path[0] = request["folder"]
    with open(request["calls"], "rb") as binary:
        calls = pickle.load(binary)
    findings: dict[str, dict[str, str]] = {}
    end = time.monotonic() + PATIENCE
    for module, name, head, result, place in calls:
        full = f"{module}.{name}"
        if full in findings or time.monotonic() > end:
            continue
        function = getattr(importlib.import_module(module), name)
        again = outcome(function, head)
        if again is not None and not same(result, again):
            findings[full] = {"kind": ELSEWHERE, "function": full, "place": place}
    with open(request["elsewhere"], "w", encoding="utf-8") as file:
        json.dump(list(findings.values()), file)


if __name__ == "__main__":
    main(sys.argv[1:])
