# What the program's text changes of libraries, calls find changed: names, tables, registers.
# file: work.py
import calendar
import json
import keyword
import logging
import mimetypes
import numbers
import string
import sys
import tempfile
import time
import xml.etree.ElementTree as ET


class Own:
    pass


def week(x):
    time.sleep(0.002)
    return calendar.weekheader(2), x


def name(x):
    time.sleep(0.002)
    return ET.tostring(ET.Element("{http://x}q")), x


def level(x):
    time.sleep(0.002)
    return logging.getLevelName(20), x


def kind(x):
    time.sleep(0.002)
    return mimetypes.guess_type("a.zzz"), x


def text(x):
    time.sleep(0.002)
    return json.dumps({1, 2} if x > 1 else [x]), x


def folder(x):
    time.sleep(0.002)
    return tempfile.gettempdir() == "/nowhere", x


def filled(x):
    time.sleep(0.002)
    return string.Template("$a %a").safe_substitute(a=x)


def counts(x):
    time.sleep(0.002)
    return isinstance(Own(), numbers.Number), len(keyword.kwlist), getattr(sys, "our_flag", None), x
# file: main.py
import calendar
import json
import keyword
import logging
import mimetypes
import numbers
import string
import sys
import tempfile
import xml.etree.ElementTree as ET

import work

CALLS = (work.week, work.name, work.level, work.kind, work.text, work.folder, work.filled, work.counts)


def show():
    for call in CALLS:
        try:
            print(call(1), call(2))
        except TypeError as error:
            print(error)


show()
calendar.setfirstweekday(6)
ET.register_namespace("own", "http://x")
logging.addLevelName(20, "NOTE")
mimetypes.add_type("own/kind", ".zzz")
json.JSONEncoder.default = lambda self, value: sorted(value)
tempfile.tempdir = "/nowhere"
string.Template.delimiter = "%"
numbers.Number.register(work.Own)
keyword.kwlist.append("own")
sys.our_flag = 7
show()
sys.our_flag = 8
show()
