# Objects of the main script's classes are in a list that their methods read, or are what a function's globals are.
# file: cord.toml
[remote.work]
replicas = 2
pure = true

[remote.main]
replicas = 2
only = ["which"]
pure = true
# file: work.py
def report(job):
    return job.place(), job.others()


def call(function, value):
    return function(value)
# file: main.py
import work

active = []


class Job:
    def __init__(self, name):
        self.name = name
        active.append(self)

    def place(self):
        return active.index(self)

    def others(self):
        return [job.name for job in active if job is not self]


jobs = [Job(name) for name in "abcd"]
table = {jobs[0]: "first", jobs[1]: "second"}


def which(job):
    return table.get(job), job is jobs[0]


def is_first(job):
    return job is jobs[0], job.name


for job in jobs:
    print(job.name, work.report(job), which(job), work.call(is_first, job))
    job.name += "!"
