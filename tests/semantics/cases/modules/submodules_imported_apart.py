# A module of a package is imported by somebody else than by what names the package: replicas have it, too.
# file: cord.toml
[remote.main]
pure = true

[remote.work]
pure = true

[run]
audit = false
# file: work.py
import xml


def length(text):
    return len(xml.dom.minidom.parseString(text).toxml())
# file: main.py
import concurrent.futures
import email.mime.text
import unittest
import xml.dom.minidom

import work


class Page:
    def __init__(self, text):
        self.text = text

    def shown(self):
        return email.mime.text.MIMEText(self.text).get_payload()


def tag(text):
    return xml.dom.minidom.parseString(text).documentElement.tagName


def shown(page):
    return page.shown()


def applied(function):
    return function()


def late(number):
    try:
        return number, type(unittest.mock.sentinel.one).__name__
    except AttributeError as error:
        return number, str(error)


for number in range(4):
    text = f"<a>{number}</a>"
    print(work.length(text), tag(text), shown(Page(text)))
    print(applied(lambda: concurrent.futures.ThreadPoolExecutor.__name__))
print([late(number) for number in range(3)])
import unittest.mock

print([late(number) for number in range(3)])
