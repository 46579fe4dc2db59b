# Plain values that the program's text binds in modules of libraries travel; others keep calls here.
# file: work.py
import tabnanny
import tempfile
import textwrap
import time


def folder(x):
    time.sleep(0.002)
    return tempfile.gettempdir() == "/nowhere", x  # it binds tempdir itself, if that is None


def look(x):
    time.sleep(0.002)
    return tabnanny.verbose, getattr(textwrap, "_our_key", None), x
# file: main.py
import tabnanny
import tempfile
import textwrap

tabnanny.verbose = 3  # before anybody has noted what it was

import work


def show():
    print([work.look(x) for x in range(4)])


show()
textwrap._our_key = "key"
show()
tabnanny.verbose = [1]
show()
tabnanny.verbose.append(2)
show()
tabnanny.verbose = None
show()
del textwrap._our_key
show()
tempfile.tempdir = None
print(work.folder(1), work.folder(2), tempfile.tempdir is None)
tempfile.tempdir = "/nowhere"
print(work.folder(1), work.folder(2))
