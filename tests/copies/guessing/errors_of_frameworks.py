# A framework refuses what is not known, by an error of its own: the next one is begun all the same.
# overlap: 4
# file: lib/site-packages/graphs.py
class InvalidUpdateError(Exception):
    pass


def steps(nodes, state):
    for node in nodes:
        update = node(state)
        if type(update) is not dict:
            raise InvalidUpdateError(type(update).__name__)
        state = {**state, **update}
        yield state


def invoke(nodes, state):
    *_, state = steps(nodes, state)
    return state
# file: main.py
import sys

sys.path.append("lib/site-packages")
import graphs
import work


def draft(state):
    return {"draft": work.nap(state["topic"])}


def grade(state):
    return {"grade": "good" if work.nap(state["draft"]) % 3 else "bad"}


for topic in range(8):
    print(topic, graphs.invoke([draft, grade], {"topic": topic * 7})["grade"])
