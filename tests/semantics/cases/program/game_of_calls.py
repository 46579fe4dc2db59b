# A small simulation with objects, queues, a clock and results that make new events.
# file: work.py
def duration(kind, n):
    return len(kind) + n * 7 % 5


def spawn(kind, t):
    return [("ping", t + 3)] if kind == "start" and t < 20 else []
# file: main.py
import heapq

import work


class Clock:
    now = 0


class Event:
    serial = 0

    def __init__(self, at, kind):
        Event.serial += 1
        self.at, self.kind, self.n = at, kind, Event.serial

    def __lt__(self, other):
        return (self.at, self.n) < (other.at, other.n)


events = [Event(t, "start") for t in (0, 5, 5)]
heapq.heapify(events)
while events and Clock.now < 40:
    event = heapq.heappop(events)
    Clock.now = event.at
    took = work.duration(event.kind, event.n)
    print(Clock.now, event.kind, event.n, took)
    for kind, at in work.spawn(event.kind, Clock.now):
        heapq.heappush(events, Event(at, kind))
    if took % 2:
        heapq.heappush(events, Event(Clock.now + took, "start"))
print(Event.serial, len(events))
