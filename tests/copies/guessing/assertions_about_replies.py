# What is made of replies is asserted to be a text, in functions behind a retrying client: nothing is known of it yet.
# overlap: 4
# file: lib/client.py
import functools


def retrying(function):
    @functools.wraps(function)
    def wrapped(*args, **named):
        for _ in range(3):
            try:
                return function(*args, **named)
            except ConnectionError:
                continue

    return wrapped
# file: main.py
import sys

sys.path.append("lib")
import client
import work


class Choice:
    def __init__(self, text):
        self.text = text


class Completion:
    def __init__(self, reply):
        self.choices = [Choice(one) for one in reply.split("|")]


@client.retrying
def complete(prompt):
    return Completion(work.say(prompt)).choices[0].text


def body(prompt):
    found = complete(prompt)
    assert isinstance(found, str)
    lines = found.split("\n")
    return "\n".join(line for line in lines if len(line) > 1)


def solve(task):
    draft, hints = body(f"write {task}"), []
    while len(hints) < 2 and not draft.endswith("done"):
        hints.append(body(f"what is wrong with {draft}?"))
        draft = body(f"{draft}, but {hints[-1]}")
    return draft, hints


for task in range(9):
    draft, hints = solve(f"t{task}")
    print(task, len(draft), len(hints), sep=", ")
