# Methods of a module's class: of instances, static, of the class; called in loops, kept, passed on.
# file: model.py
class Client:
    made = 0

    def __init__(self, name):
        self.name = name
        type(self).made += 1

    def complete(self, prompt, *, times=1):
        "Say it."
        return f"{self.name}: {prompt * times}"

    def both(self, first, second):
        return [self.complete(one) for one in (first, second)]

    @staticmethod
    def tokens(text):
        return text.split()

    @classmethod
    def named(cls, name):
        return cls.__name__, name.upper()

    def fails(self, x):
        raise ValueError(f"{self.name} cannot {x}")

    class Pool:
        def size(self):
            return 3


class Special(Client):
    def complete(self, prompt, **more):
        return "special " + super().complete(prompt, **more)


def make(name):
    return Client(name)
# file: cord.toml
[remote.model]
pure = true
replicas = 2
callstyle = "async"
inline = false
only = ["Client.complete", "Client.tokens", "Client.named", "Client.fails", "Client.Pool.size"]
# file: main.py
import inspect
import pickle

from model import Client, Special, make

client = Client("ann")
prompts = ["a b", "c", "d e f"]
for prompt in prompts:
    print(client.complete(prompt), client.complete(prompt, times=2), Client.tokens(prompt))
print([client.tokens(prompt) for prompt in prompts], client.both("x", "y"))
print(Client.named("q"), Special.named("r"), client.named("s"), Client.Pool().size())
special = Special("bob")
print([special.complete(prompt) for prompt in prompts], isinstance(special, Client))
print(Client.complete(client, "as a function"), Client.complete.__doc__)
print(inspect.signature(Client.complete), inspect.signature(client.complete))
print(Client.complete is Client.complete, client.complete == client.complete)
print(client.complete.__self__ is client, client.complete.__func__ is Client.complete)
print(pickle.loads(pickle.dumps(Client.complete)) is Client.complete, Client.made)
say = client.complete
client.name = "anna"
print(say("late"), list(map(say, prompts)), sorted(prompts, key=client.tokens))
try:
    client.fails("fly")
except ValueError as error:
    print(error, error.__traceback__.tb_next.tb_frame.f_code.co_name)


class Agent:
    def __init__(self, client):
        self.client = client

    def run(self, tasks):
        return [self.client.complete(task) for task in tasks]


print(Agent(make("eve")).run(prompts))
