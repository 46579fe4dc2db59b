# A library writes a checkpoint in each round, keeps the last ones, and goes on from the last.
# overlap: 4
# file: lib/checkpoints.py
import os
import pickle
import shutil


class Checkpoints:
    def __init__(self, folder, most):
        self.folder, self.most = folder, most
        os.makedirs(folder, exist_ok=True)

    def names(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".pkl"))

    def last(self):
        names = self.names()
        if not names:
            return {"round": 0}
        with open(os.path.join(self.folder, names[-1]), "rb") as file:
            return pickle.load(file)

    def save(self, state):
        path = os.path.join(self.folder, f"{state['round']:04}.pkl")
        with open(path, "wb") as file:
            pickle.dump(state, file)
        shutil.copyfile(path, os.path.join(self.folder, "latest"))
        for name in self.names()[: -self.most]:
            os.remove(os.path.join(self.folder, name))


def run(function, rounds, checkpoints):
    results = []
    for _ in range(rounds):
        state = checkpoints.last()
        results.append(function(state["round"], len(checkpoints.names())))
        checkpoints.save({"round": state["round"] + 1, "padding": "x" * 5000})
    return results
# file: main.py
import sys

sys.path.append("lib")
import checkpoints
import work

print(checkpoints.run(work.nap, 40, checkpoints.Checkpoints("saved", 3)))
