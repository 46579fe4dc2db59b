# A library leaves out what is there already, and writes a file for each call: to another name, then in
# place, into a folder that it makes.
# overlap: 4
# file: lib/pages.py
import os
import pathlib


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".tmp", "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".tmp", path)


def run(function, items):
    results = []
    for item in items:
        path = f"out/{item % 3}/page{item % 30}.txt"
        if pathlib.Path(path).exists():
            results.append(int(pathlib.Path(path).read_text()))
            continue
        results.append(function(item, len(os.listdir("out")) if item else 0))
        write(path, str(item))
    return results
# file: main.py
import glob
import sys

sys.path.append("lib")
import pages
import work

print([str(result) for result in pages.run(work.nap, range(40))])
print(sorted(glob.glob("out/*/*")))
