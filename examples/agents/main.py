"""Three jobs for a language model: articles, a plan by a tree of thoughts, and a summary."""

import argparse

import model
import server

TOPICS = ["bridges", "glaciers", "bees", "violins", "tides", "bread"]
CHAPTERS = [f"chapter {number} of the ship's diary" for number in range(1, 9)]


def write_article(service: str, topic: str) -> str:
    """Draft an article; if it has become long, have it criticised, and revise it."""
    text = model.ask(service, f"Write about {topic}.")
    if len(text) > 250:
        critique = model.ask(service, f"What can be left out of this? {text}")
        text = model.ask(service, f"Revise this text: {text} Mind this critique: {critique}")
    return text


def think(service: str, problem: str, depth: int, ways: int, keep: int) -> str:
    """Search a tree of thoughts: go on from the best ones, in several ways each.

    Args:
        service: The address of the model's service.
        problem: What to think about.
        depth: How many thoughts follow one another.
        ways: In how many ways each train of thought goes on.
        keep: How many of them are followed farther.

    Returns:
        The train of thought with the highest mark.
    """
    best = [problem]
    for _ in range(depth):
        thoughts = []
        for train in best:
            for way in range(ways):
                step = model.ask(service, f"Way {way + 1} to go on from: {train}")
                thoughts.append(f"{train} {step.split('.')[0]}.")
        marks = [int(model.ask(service, f"Rate this: {thought}")) for thought in thoughts]
        ranked = sorted(zip(marks, thoughts, strict=True), reverse=True)
        best = [thought for _, thought in ranked[:keep]]
    return best[0]


def summarize(service: str, texts: list[str]) -> str:
    """Summarize each text, then two summaries at a time, until one is left."""
    summaries = [model.ask(service, f"Summarize {text}") for text in texts]
    while len(summaries) > 1:
        pairs = [" ".join(summaries[at : at + 2]) for at in range(0, len(summaries), 2)]
        summaries = [model.ask(service, f"Summarize in one: {pair}") for pair in pairs]
    return summaries[0]


def main() -> None:
    """Read the command line, start the service, and do the three jobs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topics", type=int, default=6, help="how many articles to write")
    parser.add_argument("--depth", type=int, default=2, help="depth of the tree of thoughts")
    parser.add_argument("--chapters", type=int, default=8, help="how many texts to summarize")
    arguments = parser.parse_args()

    with server.running() as service:
        for topic in TOPICS[: arguments.topics]:
            print(f"{topic}: {write_article(service, topic)}\n")
        print(think(service, "How to cross the river?", arguments.depth, ways=3, keep=2), "\n")
        print(summarize(service, CHAPTERS[: arguments.chapters]))


if __name__ == "__main__":
    main()
