"""The same three jobs, with their waiting done at the same time by hand: by asyncio and threads."""

import argparse
import asyncio
from concurrent.futures import ThreadPoolExecutor

import model
import server
from main import CHAPTERS, TOPICS

THREADS = ThreadPoolExecutor(8)


async def ask(service: str, prompt: str) -> str:
    """Get the model's answer, while others wait for theirs."""
    return await asyncio.get_running_loop().run_in_executor(THREADS, model.ask, service, prompt)


async def write_article(service: str, topic: str) -> str:
    """Draft an article; if it has become long, have it criticised, and revise it."""
    text = await ask(service, f"Write about {topic}.")
    if len(text) > 250:
        critique = await ask(service, f"What can be left out of this? {text}")
        text = await ask(service, f"Revise this text: {text} Mind this critique: {critique}")
    return text


async def think(service: str, problem: str, depth: int, ways: int, keep: int) -> str:
    """Search a tree of thoughts: go on from the best ones, in several ways each."""

    async def go_on(train: str, way: int) -> tuple[int, str]:
        step = await ask(service, f"Way {way + 1} to go on from: {train}")
        thought = f"{train} {step.split('.')[0]}."
        return int(await ask(service, f"Rate this: {thought}")), thought

    best = [problem]
    for _ in range(depth):
        marked = await asyncio.gather(*(go_on(train, way) for train in best for way in range(ways)))
        best = [thought for _, thought in sorted(marked, reverse=True)[:keep]]
    return best[0]


async def summarize(service: str, texts: list[str]) -> str:
    """Summarize each text, then two summaries at a time, until one is left."""
    summaries = await asyncio.gather(*(ask(service, f"Summarize {text}") for text in texts))
    while len(summaries) > 1:
        pairs = [" ".join(summaries[at : at + 2]) for at in range(0, len(summaries), 2)]
        summaries = await asyncio.gather(
            *(ask(service, f"Summarize in one: {pair}") for pair in pairs)
        )
    return summaries[0]


async def all_jobs(service: str, topics: list[str], depth: int, chapters: list[str]) -> None:
    """Do the three jobs at the same time, and print what the plain program prints."""
    thought = asyncio.create_task(think(service, "How to cross the river?", depth, ways=3, keep=2))
    summary = asyncio.create_task(summarize(service, chapters))
    articles = await asyncio.gather(*(write_article(service, topic) for topic in topics))
    for topic, article in zip(topics, articles, strict=True):
        print(f"{topic}: {article}\n")
    print(await thought, "\n")
    print(await summary)


def main() -> None:
    """Read the command line, start the service, and do the three jobs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=6, help="how many articles to write")
    parser.add_argument("--depth", type=int, default=2, help="depth of the tree of thoughts")
    parser.add_argument("--chapters", type=int, default=8, help="how many texts to summarize")
    arguments = parser.parse_args()

    with server.running() as service:
        topics, chapters = TOPICS[: arguments.topics], CHAPTERS[: arguments.chapters]
        asyncio.run(all_jobs(service, topics, arguments.depth, chapters))


if __name__ == "__main__":
    main()
