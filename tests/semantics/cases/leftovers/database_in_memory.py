# Pure functions read a database in memory, into which the program writes; another one lies in a file.
# told: 1
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: work.py
import sqlite3

held = sqlite3.connect(":memory:")
held.execute("create table t (x)")
kept = sqlite3.connect("kept.db")


def total(x):
    return held.execute("select sum(x) from t").fetchone()[0], x


def lasting(x):
    return kept.execute("select min(x) from t").fetchone()[0], x
# file: main.py
import sqlite3

with sqlite3.connect("kept.db") as made:
    made.execute("create table t (x)")
    made.execute("insert into t values (1)")
made.close()

import work

for x in range(3):
    with work.held:
        work.held.execute("insert into t values (?)", (x,))
    print(work.total(x), work.lasting(x))
