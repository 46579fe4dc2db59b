# What the library makes of a reply is an argument of the next call: matches, parsed and encoded texts.
# overlap: 4
# file: lib/framework.py
def each(function, things):
    for thing in things:
        yield function(thing)
# file: main.py
import base64
import hashlib
import json
import re
import sys
import textwrap
from string import Template

sys.path.append("lib")
import work
from framework import each

WORDS = re.compile(r"\w+")
FORM = Template("judge $part of $whole")


def answer(number):
    reply = work.say(f"number {number}")
    found = re.search(r"[a-z]+", json.dumps([reply, number])).group(0)
    parts = json.loads(json.dumps({"words": WORDS.findall(reply)}))["words"]
    judged = work.say(FORM.substitute(part=parts[-1], whole=textwrap.indent(found, "> ")))
    known = hashlib.md5(judged.encode()).hexdigest()
    return work.say([base64.b64encode(judged.encode()), known, max(parts, key=len), sorted(parts)])


for found in each(answer, range(16)):
    print(found)
