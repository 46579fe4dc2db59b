"""Starts a web server, sends it requests by ab, and prints the seconds as JSON.

usage: load.py SERVER CONCURRENTxREQUESTS,... REPEATS

SERVER is the command of one that prints its port, and a path if not /, and ends with its standard
input.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys


def requests(port: str, path: str, concurrent: int, count: int) -> float:
    """Send so many requests, so many at a time; how many seconds all of them took."""
    url = f"http://127.0.0.1:{port}{path}"
    command = ["ab", "-q", "-s", "60", "-c", str(concurrent), "-n", str(count), url]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Time taken for tests:\s+([0-9.]+) seconds", said)
    failed = re.search(r"Failed requests:\s+(\d+)", said)
    if found is None or failed is None or int(failed[1]):
        sys.exit(f"ab: {said}")
    return float(found[1])


def main() -> None:
    """Start the server, measure, end it."""
    server, pairs, repeats = sys.argv[1:]
    process = subprocess.Popen(
        server.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    measures = {}
    try:
        port, *rest = process.stdout.readline().split() or sys.exit("the server has not begun")
        path = rest[0] if rest else "/"
        for pair in pairs.split(","):
            concurrent, count = map(int, pair.split("x"))
            times = [requests(port, path, concurrent, count) for _ in range(int(repeats))]
            measures[pair] = statistics.median(times)
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    print(json.dumps(measures))


if __name__ == "__main__":
    main()
