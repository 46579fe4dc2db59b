"""Reading the arguments of the command line.

By hand: `argparse` would be a third of what Cord may cost at start, and cannot leave everything
after PROGRAM alone.
"""

from __future__ import annotations

from cord.cli.commands import COMMANDS, HELP, MODULE, VERSION, Command, Option
from cord.errors import CordError


class Arguments:
    """What the user asks for.

    Attributes:
        command: The command, or None for `cord --help` and `cord --version`.
        asks: "help" or "version" if that is all that is asked for.
        config: The plan's path, or None.
        settings: The texts given with `--set`, in order.
        variant: The name given with `--variant`, or None.
        variants: The names given with `--variants`, or None.
        repeat: The number given with `--repeat`.
        budget: The time given with `--budget`, in seconds.
        json: Whether `--json` was given.
        source: Whether `--source` was given.
        all: Whether `--all` was given.
        pdb: Whether `--pdb` was given.
        place: The word given with `--in`, or None.
        run: Whether `--run` was given.
        live: Whether `--live` was given.
        stats: The file given with `--stats`, True where it was given without; None if not.
        auto: The word given with `--auto`, or None.
        accept: The words given with `--accept`, in order.
        from_last_run: Whether `--from-last-run` was given.
        repeatable: The names given with `--repeatable`, in order.
        trace: The path given with `--trace`, or None.
        perfetto: The path given with `--perfetto`, or None.
        opentelemetry: Whether `--opentelemetry` was given.
        replicas: The numbers given with `--replicas`, or None.
        svg: The path given with `--svg`, or None.
        output: The path given with `--output`, or None.
        connect: The address given with `--connect`, or None.
        stdio: Whether `--stdio` was given.
        serve: Whether `--serve` was given.
        reload: Whether `--reload` was given.
        listen: The address given with `--listen`, or None.
        keys: The path given with `--keys`, or None.
        ray: The address given with `--ray`, or None.
        name: The name given with `--name`, or None.
        program: The path of what the command works on, or the name of the module to run.
        module: Whether it is a module's name, given with `-m`.
        rest: What follows it.
    """

    def __init__(self) -> None:
        self.command: Command | None = None
        self.asks: str | None = None
        self.config: str | None = None
        self.settings: list[str] = []
        self.variant: str | None = None
        self.variants: list[str] | None = None
        self.repeat = 3
        self.budget = 120.0
        self.json = False
        self.source = False
        self.all = False
        self.pdb = False
        self.place: str | None = None
        self.run = False
        self.live = False
        self.stats: str | bool | None = None
        self.auto: str | None = None
        self.accept: list[str] = []
        self.from_last_run = False
        self.repeatable: list[str] = []
        self.trace: str | None = None
        self.perfetto: str | None = None
        self.opentelemetry = False
        self.replicas: str | None = None
        self.svg: str | None = None
        self.output: str | None = None
        self.connect: str | None = None
        self.stdio = False
        self.serve = False
        self.reload = False
        self.listen: str | None = None
        self.keys: str | None = None
        self.ray: str | None = None
        self.name: str | None = None
        self.program = ""
        self.module = False
        self.rest: list[str] = []


def parse(words: list[str]) -> Arguments:
    """Reads the words after `cord`.

    Raises:
        CordError: They do not make sense.
    """
    arguments = Arguments()
    if not words:
        arguments.asks = "usage"
        return arguments
    first, *words = words
    if first in HELP.names or first in VERSION.names:
        arguments.asks = "help" if first in HELP.names else "version"
        return arguments
    command = COMMANDS.get(first)
    if command is None:
        raise _unknown_command(first)
    arguments.command = command
    rest = _parse_options(arguments, command, words)
    if command.operand == "TRACE":  # nothing that follows can be a program's own
        rest[1:] = _parse_options(arguments, command, rest[1:])
    if arguments.asks is not None:
        return arguments
    if command.name == "agent":
        _check_agent(arguments)
    if not rest and command.operand[:1] in ("", "["):
        return arguments
    if not rest:
        missing = f"{command.operand} is missing after cord {command.name}"
        hint = f"usage: {command.usage}"
        if len(words) > 1 and words[-1].endswith(".py") and words[-1][0] != "-":
            missing += f": {words[-1]} is what {words[-2]} takes"
        raise CordError(missing, hint)
    arguments.program, *arguments.rest = rest
    if not command.operand:
        raise CordError(
            f"{rest[0]} stands after cord {command.name}, which takes nothing",
            f"usage: {command.usage}",
        )
    most = command.operand.count(" ")  # so many more words it takes
    if not (command.passes_arguments or arguments.run):
        for at in range(most + 1):  # options may stand before each of them, and behind
            arguments.rest[at:] = _parse_options(arguments, command, arguments.rest[at:])
    if arguments.asks is not None:
        return arguments
    if len(arguments.rest) > most and not (command.passes_arguments or arguments.run):
        operand = command.operand.replace("[", "").rstrip("]")
        raise CordError(
            f"{arguments.rest[most]} stands after {operand}, where cord {command.name} takes "
            "nothing",
            f"usage: {command.usage}",
        )
    return arguments


def _check_agent(arguments: Arguments) -> None:
    ways = (arguments.connect is not None, arguments.stdio, arguments.serve)
    if ways.count(True) != 1:
        raise CordError(
            "cord agent takes one of --connect, --stdio and --serve",
            "usage: cord agent --connect HOST:PORT",
        )
    of_serve = {
        "--keys": arguments.keys,
        "--ray": arguments.ray,
        "--name": arguments.name,
        "--listen": arguments.listen,
        "--config": arguments.config,
    }
    for option, value in of_serve.items():
        if value is not None and not arguments.serve:
            raise CordError(f"{option} is for cord agent --serve")
    if not arguments.serve:
        return
    usage = "usage: cord agent --serve --keys FILE --name NAME"
    if arguments.ray is not None and arguments.keys is not None:
        raise CordError("cord agent --serve takes one of --keys and --ray", usage)
    for option in ("--keys", "--name"):
        if of_serve[option] is None and (option == "--name" or arguments.ray is None):
            raise CordError(f"{option} is missing after cord agent --serve", usage)


def _parse_options(arguments: Arguments, command: Command, words: list[str]) -> list[str]:
    """Reads the options before PROGRAM; returns the words from PROGRAM on."""
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            return words[at + 1 :]
        if not word.startswith("-"):
            return words[at:]
        at += 1
        option, value = _match(command, word)
        if option is HELP:
            arguments.asks = "help"
            return []
        if option.value is not None and value is None:
            if at == len(words):
                raise CordError(f"{word} needs a value", f"write {word} {option.value}")
            value = words[at]
            at += 1
        if option is MODULE:
            arguments.module = True
            return [value or "", *words[at:]]
        _apply(arguments, option, value)
    return []


def _match(command: Command, word: str) -> tuple[Option, str | None]:
    """The option that `word` is, and the value written in the same word, if any."""
    name, equals, value = word.partition("=")
    for option in (*command.options, HELP):
        if word in option.names:
            return option, None
        if option.optional and equals and name in option.names:
            return option, value
        if option.value is not None:
            if equals and name.startswith("--") and name in option.names:
                return option, value
            short = option.names[0]
            if len(short) == 2 and word.startswith(short):
                return option, word[2:].removeprefix("=")
    raise _unknown_option(command, name)


def _apply(arguments: Arguments, option: Option, value: str | None) -> None:
    if option.key == "set":
        arguments.settings.append(value or "")
    elif option.key == "repeatable":
        arguments.repeatable += [name.strip() for name in (value or "").split(",")]
    elif option.key == "accept":
        arguments.accept += _accepted(value or "")
    elif option.key == "auto" and value != "off":
        raise CordError(f"--auto is {value}; allowed: off", "leave it out for the usual")
    elif option.key == "variants":
        arguments.variants = [name.strip() for name in (value or "").split(",")]
    elif option.key == "repeat":
        if not (value or "").isdecimal() or int(value or "") == 0:
            raise CordError(
                f"--repeat is {value}; allowed: a whole number from 1 on", "for example --repeat 5"
            )
        arguments.repeat = int(value or "")
    elif option.key == "budget":
        arguments.budget = _seconds(value or "")
    else:
        setattr(arguments, option.key.replace("-", "_"), True if value is None else value)


def _accepted(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in ("network", "files"):
            raise CordError(
                f"--accept is {text}; allowed: network, files, or both with a comma",
                "for example --accept network,files",
            )
    return words


def _seconds(text: str) -> float:
    """A time such as 90s, 5m or 1h; a number alone is of seconds."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0}
    number, unit = (text[:-1], text[-1:]) if text[-1:] in units else (text, "s")
    if not number.replace(".", "", 1).isdecimal() or float(number) == 0:
        raise CordError(
            f"--budget is {text}; allowed: a time such as 90s, 5m or 1h", "for example --budget 5m"
        )
    return float(number) * units[unit]


def _unknown_command(word: str) -> CordError:
    from cord.plan.problems import did_you_mean

    if word.startswith("-"):
        message = f"{word} is not an option that stands before a command"
        return CordError(message, 'options follow the command; see "cord --help"')
    if word.endswith(".py"):
        return CordError(f"{word} is not a command", f"cord run {word}")
    return CordError(
        f"{word} is not a command", did_you_mean(word, COMMANDS) or 'see "cord --help"'
    )


def _unknown_option(command: Command, word: str) -> CordError:
    from cord.plan.problems import did_you_mean

    message = f"{word} is not an option of cord {command.name}"
    if word == "-":
        what = "a program" if command.operand == "PROGRAM" else f"the {command.operand.lower()}"
        return CordError(f"{what} cannot be read from standard input", f"usage: {command.usage}")
    known = [name for option in (*command.options, HELP) for name in option.names]
    longer = [name for name in known if name.startswith(word) and len(word) > 2]
    if longer:
        return CordError(message, f'did you mean "{longer[0]}"?')
    for other in COMMANDS.values():
        if any(word in option.names for option in other.options):
            return CordError(message, f"it is an option of cord {other.name}")
    hint = did_you_mean(word, known) if len(word) > 2 else None
    return CordError(message, hint or f'see "cord {command.name} --help"')
