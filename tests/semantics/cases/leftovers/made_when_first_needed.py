# A client that is made when it is first needed: the program makes the first calls, and then has it, too.
# told: 1
# file: work.py
import time

_client = None


class Client:
    def __init__(self):
        self.base = 7

    def get(self, x):
        time.sleep(0.002)
        return self.base * x


def client():
    global _client
    if _client is None:
        _client = Client()
    return _client


def ask(x):
    return client().get(x)
# file: main.py
import work

for i in range(40):
    print(work.ask(i))
print(work._client.base)
