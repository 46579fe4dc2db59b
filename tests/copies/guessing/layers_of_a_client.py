# Between the calls and the program's own lines are several layers of a client library: in some calls the next ones hang on the reply, in others they do not.
# overlap: 4
# file: lib/client.py
import functools
from types import SimpleNamespace


def traced(function):
    @functools.wraps(function)
    def tracing(*args, **kwargs):
        return function(*args, **kwargs)

    return tracing


class Completions:
    def __init__(self, function):
        self.function = function

    def create(self, prompt):
        words = [SimpleNamespace(text=one) for one in self.function(prompt).split()]
        return SimpleNamespace(choices=words)


class Client:
    def __init__(self, function):
        self.completions = Completions(function)
        self.used = 0

    @traced
    def chat(self, prompt):
        reply = self.completions.create(prompt)
        self.used += len(reply.choices)
        return reply

    def query(self, prompt):
        return [choice.text for choice in self.chat(prompt).choices]
# file: main.py
import sys

sys.path.append("lib")
import client
import work

model = client.Client(work.say)


def drafts(task):
    return [f"{task} {at} {word}" for at, word in enumerate(model.query(f"draft {task}") * 2)]


def scores(texts):
    return [sum(map(len, model.query(f"score {text}"))) for text in texts]


for task in range(5):
    texts = drafts(f"t{task}")
    found = scores(texts)
    best = max(range(len(texts)), key=lambda at: (found[at], at))
    print(task, texts[best], found)
print(model.used)
