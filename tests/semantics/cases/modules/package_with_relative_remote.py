# The remote module is inside the package of the program and imports a sibling.
# file: app/__init__.py
# file: app/shared.py
UNIT = "mm"


def convert(x):
    return x * 25.4
# file: app/remote.py
from .shared import UNIT, convert


def inches(x):
    return f"{convert(x):.1f} {UNIT}"
# file: app/driver.py
from .remote import inches


def run(values):
    for v in values:
        print(v, inches(v))
    return [inches(-v) for v in values]
# file: cord.toml
[remote."app.remote"]
replicas = 2
pure = true
# file: main.py
from app.driver import run

if __name__ == "__main__":
    print(run([1, 2.5, 10]))
