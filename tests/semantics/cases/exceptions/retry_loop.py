# Retry loops: by attempt number over pure calls, and a counter in an impure one.
# file: work.py
def fetch(name, attempt):
    if attempt < len(name) % 4:
        raise ConnectionError(f"{name} failed {attempt}")
    return f"{name} after {attempt}"
# file: flaky.py
_tries = {}


def fetch(name):
    _tries[name] = _tries.get(name, 0) + 1
    if _tries[name] < len(name):
        raise TimeoutError(f"{name} {_tries[name]}")
    return _tries[name]
# file: cord.toml
[remote.work]
replicas = 2
pure = true

[remote.flaky]
replicas = 1
# file: main.py
import flaky
import work

for name in ("a", "bb", "ccc", "dddd"):
    for attempt in range(3):
        try:
            print(work.fetch(name, attempt))
            break
        except ConnectionError as error:
            print("retry:", error)
    else:
        print("gave up on", name)
    while True:
        try:
            print(name, flaky.fetch(name))
        except TimeoutError as error:
            print("again", error)
        else:
            break
