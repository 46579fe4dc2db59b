# An independent function calls a method of its argument, which counts in the class.
# file: work.py
class Stats:
    sent = 0

    def note(self):
        Stats.sent += 1


def send(stats, x):
    stats.note()
    return x
# file: main.py
import work

stats = work.Stats()
print([work.send(stats, x) for x in range(5)], work.Stats.sent)
# file: cord.toml
[remote.work]
replicas = 2
independent = true
