# What is set on an object that a module holds is seen, and gone when it is taken back.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
inline = false
# file: svc.py
class Client:
    def __init__(self): self.k = 2
    def fetch(self, n): return n * self.k
client = Client()
# file: work.py
from svc import client
def f(n):
    return client.fetch(n)
# file: main.py
from unittest import mock
import work, svc
print([work.f(n) for n in range(4)])
with mock.patch.object(svc.client, "fetch", lambda n: n * 1000):
    print([work.f(n) for n in range(4)])
print([work.f(n) for n in range(4)])
