# Thoughts are made, scored by numbers found in replies, checked until they are good, and the best are merged.
# overlap: 4
# file: lib/operations.py
import re


class Model:
    def __init__(self, function):
        self.function, self.cost = function, 0

    def query(self, prompt):
        reply = self.function(prompt)
        self.cost += len(reply)
        return [reply[-24:]]


class Parser:
    def score(self, answer):
        found = re.findall(r"\d+", answer)
        if len(found) == 1:
            return float(found[0])
        return float(len(answer) % 7)

    def is_valid(self, answer):
        return len(re.findall(r"this", answer)) > 1


class Operation:
    def __init__(self, *before):
        self.before, self.thoughts = before, []

    def previous(self):
        return [thought for operation in self.before for thought in operation.thoughts]


class Generate(Operation):
    def execute(self, model, parser):
        for text, _ in self.previous():
            for number in range(3):
                self.thoughts.append((model.query(f"merge {number}: {text}")[0], 0.0))


class Score(Operation):
    def execute(self, model, parser):
        for text, _ in self.previous():
            scores = [parser.score(answer) for answer in model.query(f"score {text}")]
            self.thoughts.append((text, sum(scores) / len(scores)))


class Validate(Operation):
    def execute(self, model, parser):
        for text, score in self.previous():
            for attempt in range(3):
                if parser.is_valid(model.query(f"check {attempt} {text}")[0]):
                    break
                text = model.query(f"again {text}")[0]
            self.thoughts.append((text, score))


class Keep(Operation):
    def execute(self, model, parser):
        self.thoughts = sorted(self.previous(), key=lambda thought: thought[1], reverse=True)[:2]


class Aggregate(Operation):
    def execute(self, model, parser):
        joined = " + ".join(text for text, _ in self.previous())
        self.thoughts.append((model.query(f"merge all: {joined}")[0], 0.0))
# file: main.py
import sys

sys.path.append("lib")
import operations as ops
import work


def graph(document):
    root = ops.Operation()
    root.thoughts = [(document, 0.0)]
    made = [ops.Generate(root)]
    made.append(ops.Score(made[-1]))
    made.append(ops.Keep(made[-1]))
    made.append(ops.Aggregate(made[-1]))
    made.append(ops.Generate(made[-1]))
    made.append(ops.Validate(made[-1]))
    made.append(ops.Score(made[-1]))
    made.append(ops.Keep(made[-1]))
    return made


model, parser = ops.Model(work.say), ops.Parser()
for document in range(6):
    operations = graph(f"document {document}")
    for operation in operations:
        operation.execute(model, parser)
    print(document, operations[-1].thoughts, model.cost)
