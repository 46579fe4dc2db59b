# The same, where a function that is declared pure changes them: its calls are the program's.
# told: 1
# file: work.py
import csv
import locale
import socket
import sys
import time


def look(x):
    time.sleep(0.002)
    return (
        socket.getdefaulttimeout(),
        csv.field_size_limit(),
        csv.list_dialects(),
        sys.argv[1:],
        locale.setlocale(locale.LC_ALL),
        x,
    )


def change(x):
    time.sleep(0.002)
    socket.setdefaulttimeout(x + 1)
    csv.field_size_limit(1000 + x)
    csv.register_dialect(f"of{x}", delimiter=";")
    sys.argv.append(str(x))
    locale.setlocale(locale.LC_ALL, "C")
    return x
# file: main.py
import csv
import locale
import socket
import sys

import work


def show():
    sys.stdout.write(f"{work.look(0)} {work.look(1)}\n")


show()
socket.setdefaulttimeout(5)
csv.field_size_limit(77)
csv.register_dialect("own", delimiter="|", quoting=csv.QUOTE_ALL)
sys.argv[1:] = ["--fast", "x"]
locale.setlocale(locale.LC_ALL, "C.UTF-8")
show()
csv.unregister_dialect("own")
socket.setdefaulttimeout(None)
del sys.argv[1:]
show()
for x in range(3):
    print(work.change(x), socket.getdefaulttimeout(), csv.field_size_limit(), sys.argv[1:])
    print(csv.list_dialects(), locale.setlocale(locale.LC_ALL))
show()
