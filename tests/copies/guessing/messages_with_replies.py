# Replies stand in messages, beside texts of the program's, as keywords, keys and attributes.
# overlap: 4
# file: lib/framework.py
def each(function, things):
    for thing in things:
        yield function(thing)
# file: main.py
import sys
from types import SimpleNamespace

sys.path.append("lib")
import work
from framework import each


def ask(*messages, **options):
    return work.say([messages, options])


def answer(number):
    draft = ask({"role": "user", "content": f"number {number}"})
    history = [{"role": "user", "content": draft}, ("role", draft, "")]
    grade = ask({"role": "user", "content": f"grade {draft}"}, history, kind="grade", a=f"{draft}")
    return ask(SimpleNamespace(role="user", text=grade), {f"{number}": ["role", grade]})


for found in each(answer, range(16)):
    print(found)
