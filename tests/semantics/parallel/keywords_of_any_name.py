# Keyword arguments, whatever their names: those that Cord's own methods have, too.
# overlap: 4
# file: main.py
import work


class Scale:
    def by(self, receiver, name):
        return receiver * name


def shifted(run, callee):
    return work.nap(run, callee)


print([work.nap_by_keyword(run=x, callee=x) for x in range(12)])
scale = Scale()
for x in range(8):
    print(work.nap_by_keyword(activation=x, callee=1, run=2))
for x in range(8):
    print(shifted(run=x, callee=scale.by(receiver=x, name=2)), work.nap(dict(callee=x)["callee"]))
