# Impure calls that fail so many times are retried, given up or suppressed.
# file: work.py
attempts = {}
def flaky(name, fail_times):
    n = attempts[name] = attempts.get(name, 0) + 1
    if n <= fail_times:
        raise ConnectionError(n, f"{name} try {n}")
    return f"{name} ok after {n}"
# file: main.py
from contextlib import suppress
from work import flaky
def call(name, fails, limit=3):
    tries = 0
    while True:
        tries += 1
        try:
            result = flaky(name, fails)
        except ConnectionError as e:
            print("  failed", e.errno, e.strerror, e)
            if tries >= limit:
                raise TimeoutError(f"{name} after {tries}") from e
        else:
            return result
        finally:
            print("  tried", tries)
for name, fails in [("x", 0), ("y", 2), ("z", 5)]:
    try:
        print(call(name, fails))
    except TimeoutError as e:
        print("gave up:", e, "because", repr(e.__cause__))
with suppress(ConnectionError):
    print(flaky("w", 1))
    print("not reached")
print(flaky("w", 1))
flaky("v", 1)
# file: cord.toml
[remote.work]
replicas = 1
callstyle = "async"
