# A library keeps results in a database, whose file it locks, and looks there first.
# overlap: 4
# file: lib/stores.py
import sqlite3


class Store:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.connection.execute("create table if not exists results (item, rows)")

    def rows(self):
        return self.connection.execute("select count(*) from results").fetchone()[0]

    def add(self, item):
        with self.connection:
            self.connection.execute("insert into results values (?, ?)", (item, self.rows()))


def run(function, items, store):
    for item in items:
        yield function(item, store.rows())
        store.add(item)
# file: main.py
import sys

sys.path.append("lib")
import stores
import work

store = stores.Store("results.db")
print(list(stores.run(work.nap, range(40), store)), store.rows())
