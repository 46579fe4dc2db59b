# Functions declared pure that write files, in all ways: each line is written once, and in order.
# told: 7
# file: work.py
import json
import logging
import os
import pathlib
import shutil
import sqlite3
import time


def append(x):
    time.sleep(0.002)
    with open("log.txt", "a") as file:
        file.write(f"{x}\n")
    return x


def dump(x):
    with open(f"out{x % 3}.json", "w") as file:
        json.dump([x], file)
    return x


def text(x):
    pathlib.Path("text.txt").write_text(f"{x}")
    return x


def copied(x):
    shutil.copy("work.py", "copy.txt")
    os.replace("copy.txt", "final.txt")
    return x


def insert(x):
    connection = sqlite3.connect("numbers.db")
    connection.execute("create table if not exists numbers (x)")
    connection.execute("insert into numbers values (?)", (x,))
    connection.commit()
    (count,) = connection.execute("select count(*) from numbers").fetchone()
    connection.close()
    return count


def logged(x):
    handler = logging.FileHandler("numbers.log")
    logger = logging.getLogger("numbers")
    logger.addHandler(handler)
    logger.warning("%d", x)
    logger.removeHandler(handler)
    handler.close()
    return x


def folder(x):
    os.makedirs(os.path.join("folder", str(x % 2)), exist_ok=True)
    return sorted(os.listdir("folder"))


# file: main.py
import os

import work

print([work.append(i) for i in range(12)])
for i in range(6):
    print(
        work.dump(i), work.text(i), work.copied(i), work.insert(i), work.logged(i), work.folder(i)
    )
for name in sorted(os.listdir()):
    if name.endswith((".txt", ".json", ".log")):
        print(name, open(name).read()[:40])
os.remove("numbers.db")
