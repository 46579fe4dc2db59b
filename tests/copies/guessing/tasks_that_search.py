# Tasks one after the other: in each, a reply decides what the next call is given, and which of the last are kept.
# overlap: 4
# file: lib/client.py
class Client:
    def complete(self, function, prompt):
        return {"choices": [{"text": one} for one in function(prompt).split()]}
# file: main.py
import sys

sys.path.append("lib")
import client
import work

model = client.Client()


def ask(prompt):
    found = []
    reply = model.complete(work.say, prompt)
    found.extend([choice["text"] for choice in reply["choices"]])
    return found


def solve(task):
    kept = [task]
    for step in range(3):
        new = [old + one[-2:] for old in kept for one in ask(f"more {old}")]
        votes = [0] * len(new)
        for vote in ask("vote " + "|".join(new)):
            votes[len(vote) * 7 % len(new)] += 1
        order = sorted(range(len(new)), key=lambda at: votes[at], reverse=True)
        kept = [new[at] for at in order[:2]]
    return kept


for task in range(6):
    print(task, solve(f"t{task}"))
