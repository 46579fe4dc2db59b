# A pure method that keeps its result in its object, and counts in its class.
# told: 1
# file: cord.toml
[remote.work]
only = ["Model.fit"]
pure = true


# file: work.py
class Model:
    fits = 0

    def fit(self, rows):
        t = sum(i % 7 for i in range(3000))
        self.coef_ = sum(rows)
        Model.fits += 1
        return self.coef_


# file: main.py
from work import Model

ms = [Model() for _ in range(4)]
for i, m in enumerate(ms):
    print(m.fit([i, i + 1]))
print([m.coef_ for m in ms], Model.fits)
