# Paths remember what they were asked, each on its own side; an undeclared function changes nothing by asking.
# file: work.py
import fractions
import pathlib
import uuid


class Tagged(type(pathlib.Path())):
    pass


def suffix(path, others):
    others.append(path.with_suffix(".txt").name)
    return path.suffix, len(path.parents), path.parts


def tag(path, name):
    path.name_of_tag = name
    return path.stem


def half(number, names):
    names.append(str(number))
    return number / 2, hash(number)
# file: main.py
import fractions
import pathlib
import uuid

import work

others = []
for name in "abc":
    path = pathlib.Path("some") / "folder" / f"{name}.py"
    print(path.parts, path.stem, work.suffix(path, others), path.name, others)
    path = work.Tagged("some", name)
    print(work.suffix(path, others), path.name)
    try:
        print(work.tag(path, name), path.name_of_tag)
    except AttributeError as error:
        print(error)
print(work.half(fractions.Fraction(1, 3), others), others)
print(work.suffix({"a": path}["a"], others), path, uuid.UUID(int=5))
# file: cord.toml
[remote.work]
