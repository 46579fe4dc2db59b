# Coroutine functions that are methods: of objects, of classes, static ones, overridden and called by each other.
# file: cord.toml
[remote.work]
replicas = 2
pure = true
only = ["Model.ask", "Model.named", "Model.count", "plain"]
# file: work.py
import asyncio


class Model:
    kind = "model"

    def __init__(self, name):
        self.name = name

    async def ask(self, question):
        await asyncio.sleep(0.002)
        return f"{self.kind} {self.name}: {question}"

    @classmethod
    async def named(cls, name):
        await asyncio.sleep(0.001)
        return cls(name)

    @staticmethod
    async def count(text):
        return len(text)


class Loud(Model):
    kind = "loud"

    async def ask(self, question):
        return (await super().ask(question)).upper()


class Own(Model):
    kind = "own"


async def plain(model, question):
    return await model.ask(question)


async def stays(text):
    return text
# file: main.py
import asyncio
import inspect

import work
from work import Loud, Model, Own


async def main():
    for n in range(3):
        for model in (Model(f"m{n}"), Loud("l"), Own("o")):
            answer = await model.ask(f"q{n}")
            print(answer, await model.count(answer), await Model.ask(model, "by the class"), await work.plain(model, "inside"))
        made = await Loud.named(f"n{n}")
        print(type(made).__name__, made.name, await work.stays("stays"))
    print(inspect.iscoroutinefunction(made.ask), Model.ask.__qualname__, inspect.iscoroutinefunction(Model.named))


asyncio.run(main())
