# A package that is installed has the loop and decides; the program is one call of it.
# overlap: 4
# file: lib/site-packages/swarms.py
class Target:
    def __init__(self, found):
        if not isinstance(found, int):
            raise TypeError(found)
        self.found = [found, 1]
        self.value = found * len(self.found)


class Problem:
    def __init__(self, function):
        self.function = function
        self.asked = 0

    def target(self, place):
        self.asked += 1
        found = self.function(place)
        return Target(found)


class Particle:
    def __init__(self, place):
        self.place, self.best, self.target = place, place, None

    def update(self, **named):
        for name, value in named.items():
            setattr(self, name, value)


class Swarm:
    def __init__(self, problem, size):
        self.problem = problem
        self.particles = [Particle(at * 17) for at in range(size)]
        self.best = self.particles[0]

    @staticmethod
    def is_better(one, other):
        return True if one.value > other.value else False

    def turn(self, turn):
        for at in range(len(self.particles)):
            place = (self.particles[at].best // 2 + self.best.place + turn * at) % 200
            target = self.problem.target(place)
            if self.particles[at].target is None:
                self.particles[at].update(target=target)
            if self.is_better(target, self.particles[at].target):
                self.particles[at].update(place=place, best=place, target=target)

    def run(self, turns):
        for turn in range(turns):
            self.turn(turn)
            for particle in self.particles:
                if self.is_better(particle.target, self.best.target):
                    self.best = particle
        return self.best.place, self.best.target.value


def maximum(function, size, turns):
    return Swarm(Problem(function), size).run(turns)
# file: main.py
import sys

sys.path.append("lib/site-packages")
import swarms
import work

print(swarms.maximum(work.nap, 12, 6))
