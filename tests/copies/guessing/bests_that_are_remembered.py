# What a result decides matters to the next round only.
# overlap: 4
# file: lib/shell.py
class Shell:
    def command(self, line):
        name, _, rest = line.partition(" ")
        return getattr(self, "do_" + name)(rest)
# file: main.py
import sys

sys.path.append("lib")
import shell
import work


class Particle:
    def __init__(self, place):
        self.place, self.best, self.value = place, place, -1


class Swarm(shell.Shell):
    best, value = 0, -1

    def do_move(self, who):
        particle = particles[int(who)]
        value = work.nap(particle.place) * 7919 % 101
        if value > particle.value:
            particle.best, particle.value = particle.place, value
        if value > swarm.value:
            swarm.best, swarm.value = particle.place, value


particles, swarm = [Particle(at * 17) for at in range(6)], Swarm()
for turn in range(14):
    for who in range(6):
        swarm.command(f"move {who}")
    for particle in particles:
        particle.place = particle.best // 2 + swarm.best + turn
print([particle.best for particle in particles], swarm.best, swarm.value)
