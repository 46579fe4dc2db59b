"""The commands and their options, as data, and the help texts made from them."""

from __future__ import annotations

from cord.fixed import Value


class Option(Value):
    """One option.

    Attributes:
        names: How it may be written.
        value: What its value is called in the help; None for a switch.
        help: What it does.
        optional: What the value is called that a switch may have, after "="; None for no value.
        stored_as: The attribute that holds it, where its name could not be one; None for the name.
    """

    names: tuple[str, ...]
    value: str | None
    help: str
    optional: str | None = None
    stored_as: str | None = None

    @property
    def key(self) -> str:
        """The attribute of the parsed arguments that holds it."""
        return self.stored_as or self.names[-1].lstrip("-")


class Command(Value):
    """One command.

    Attributes:
        name: Its name.
        summary: What it does, in a line.
        details: What its help says besides.
        options: The options that stand between its name and what it works on.
        operand: What it works on, as the help calls it; "" for nothing.
        passes_arguments: Whether what follows PROGRAM belongs to the program.
        examples: Ways to call it, each with what it does, or "" where that goes without saying.
    """

    name: str
    summary: str
    details: str
    options: tuple[Option, ...]
    operand: str = "PROGRAM"
    passes_arguments: bool = False
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def usage(self) -> str:
        """How the command is called, in a line."""
        tail = f"{self.operand} [ARGS...]" if self.passes_arguments else self.operand
        return f"cord {self.name} [OPTIONS] {tail}".rstrip()


CONFIG = Option(
    ("-c", "--config"),
    "FILE",
    "the plan; without it, cord.toml beside PROGRAM, else in the current folder",
)
SET = Option(
    ("--set",),
    "KEY=VALUE",
    "a setting that goes before the plan's, such as remote.compare.replicas=8",
)
VARIANT = Option(("--variant",), "NAME", "the plan as [variants.NAME] of the same file changes it")
MODULE = Option(
    ("-m",),
    "MODULE",
    "the program is this module, as for python -m; what follows is its own",
)
VARIANTS = Option(
    ("--variants",),
    "NAME,...",
    "only these, cord.toml for the plan itself; without it, all of them",
)
REPEAT = Option(("--repeat",), "N", "how often each is run; 3 without it")
BUDGET = Option(("--budget",), "TIME", "how long it may take, such as 90s, 5m or 1h; 2m without it")
JSON = Option(("--json",), None, "print the same and more as JSON, for programs to read")
SOURCE = Option(("--source",), None, "print the translated program too")
RUN = Option(
    ("--run",),
    None,
    "run the program, and tell on stderr how its calls were made",
)
STATS = Option(
    ("--stats",),
    None,
    "tell of its calls in a table when it has ended, or write that to FILE as JSON",
    optional="FILE",
)
AUTO = Option(("--auto",), "off", "an error if there is no plan, as other commands give")
REPEATABLE = Option(
    ("--repeatable",),
    "NAME",
    "without a plan: calls of this function may be early, again, in vain",
)
ACCEPT = Option(
    ("--accept",),
    "WHAT",
    "network, files or both: such calls do no harm if early, again, in vain",
)
FROM_LAST_RUN = Option(
    ("--from-last-run",),
    None,
    "run nothing: write what the last run without a plan has found",
)
TRACE = Option(("--trace",), "FILE", "write down what happens, for cord report and others")
PERFETTO = Option(("--perfetto",), "OUT", "write the file that ui.perfetto.dev opens")
OPENTELEMETRY = Option(
    ("--opentelemetry",), None, "send its calls as spans to OTEL_EXPORTER_OTLP_ENDPOINT"
)
LIVE = Option(
    ("--live",), None, "show on stderr how far the run is; SIGUSR1 prints its state there"
)
REPLICAS = Option(
    ("--replicas",), "N..M", "from 1 to 10000; several with commas; without it, 1..1000"
)
SVG = Option(("--svg",), "FILE", "draw the curves in this file")
PAGE = Option(("-o", "--output"), "PAGE", "the page to write; without it, FILE.html")
CONNECT = Option(
    ("--connect",), "ADDRESS", "the host and port at which the program waits for agents"
)
STDIO = Option(("--stdio",), None, "the program is at the other end of standard input and output")
SERVE = Option(("--serve",), None, "stand: serve whoever connects with a key, until told to end")
LISTEN = Option(("--listen",), "ADDRESS", "where: a host or host:port; 127.0.0.1:7420 without it")
KEYS = Option(("--keys",), "FILE", "the agent's key, which cord keys has made")
RAY = Option(
    ("--ray",),
    "ADDRESS",
    "instead: the Ray cluster that tells clients of it by its name, or auto",
)
NAME = Option(("--name",), "NAME", "the name under which clients look for it")
KEPT = Option(
    ("-c", "--config"),
    "FILE",
    "the plan whose remote modules it keeps, with their state, for all clients",
)
ALL = Option(("--all",), None, "make all again, in replicas, and show which give something else")
PDB = Option(("--pdb",), None, "stop at the call's exception, or at its first line if it has none")
IN = Option(
    ("--in",), "PLACE", "here or replica: where it is made; here without it", stored_as="place"
)
RELOAD = Option(("--reload",), None, "as SIGHUP does, whenever a file beside PLAN has changed")
PLAN_OF_KEPT = Option(("-c", "--config"), "FILE", "the plan; without it, cord.toml of this folder")
HELP = Option(("-h", "--help"), None, "print this help")
VERSION = Option(
    ("-V", "--version"), None, "print Cord's version, and what it was built with and runs on"
)

COMMANDS = {
    command.name: command
    for command in (
        Command(
            "run",
            "run a program, its remote modules in replicas",
            "What follows PROGRAM belongs to the program. So do stdout and the exit code; a wrong\n"
            "command line or plan ends with 2 before the program starts.",
            (CONFIG, SET, VARIANT, REPEATABLE, AUTO, LIVE, STATS, TRACE, MODULE),
            passes_arguments=True,
            examples=(
                ("cord run search.py", "with the cord.toml beside it, if there is one"),
                ("cord run search.py --limit 10", "--limit 10 is the program's own"),
                ("cord run -c wide.toml search.py", "with another plan"),
                ("cord run --set remote.compare.replicas=8 search.py", "with one setting changed"),
                ("cord run --stats search.py", "and at the end a table of its calls"),
                ("cord run -m package.tool", "for python -m package.tool"),
            ),
        ),
        Command(
            "batch",
            "run a program whose calls of some functions are sent as batches",
            'As cord run, but calls of a function that has submit = "NAME" in the plan wait\n'
            "until all are there that can be foreseen. Then NAME, a function of the same module,\n"
            "is given their arguments in a list, and returns a list of results: a layer, which\n"
            "may take hours. What has come back is kept: killed and run again, it goes on. A\n"
            "line on stderr tells of each layer. Ends as the program does; with 2 if the plan is\n"
            "wrong.",
            (CONFIG, SET, VARIANT, STATS, MODULE),
            passes_arguments=True,
            examples=(
                ("cord batch evaluate.py", "asks in batches, and keeps the answers"),
                ("cord run evaluate.py", "finds them; what is new is asked one by one"),
            ),
        ),
        Command(
            "init",
            "find out what of a program is worth being remote, and write its cord.toml",
            "Runs the program some ten times: plain, under a profiler, under plans; each time in\n"
            "a copy of the current folder and with the same standard input. What it does outside\n"
            "of that folder it does each time. Writes cord.toml beside PROGRAM (with -m, in the\n"
            "current folder) if a plan pays under which it shows the same; overwrites nothing.\n"
            "Ends with 0 if a plan was written, with 1 if none pays, with 2 if the command\n"
            "line is wrong or there is a plan already, with 3 if this machine is too busy to tell.",
            (ACCEPT, FROM_LAST_RUN, JSON, MODULE),
            passes_arguments=True,
            examples=(
                ("cord init search.py orchids.fasta", ""),
                ("cord init --accept network crawl.py", "its requests do no harm"),
                ("cord init --from-last-run search.py", "what cord run has found, as a file"),
            ),
        ),
        Command(
            "verify",
            "run a program plain and under Cord, and show what differs, and why",
            "Both runs start from copies of the current folder, and are given the same standard\n"
            "input. Ends with 0 if stdout, the last line of stderr, the exit status and the files\n"
            "are the same, and all functions do what the plan says of them; with 1 if not, with\n"
            "2 if the command line or the plan is wrong.",
            (CONFIG, SET, VARIANT, JSON, MODULE),
            passes_arguments=True,
            examples=(("cord verify search.py orchids.fasta", ""),),
        ),
        Command(
            "compare",
            "run a program plain and under each variant of the plan, and compare times",
            "The runs take turns. Each starts from a copy of the current folder and is given the\n"
            "same standard input; its time is that of the whole command. Times are medians,\n"
            "efficiency is the speed-up for each replica. Ends with 0 if stdout, the last line\n"
            "of stderr, the exit status and the files are the same in all runs, with 1 if not,\n"
            "with 2 if the command line or the plan is wrong.",
            (CONFIG, SET, VARIANTS, REPEAT, JSON, MODULE),
            passes_arguments=True,
            examples=(
                ("cord compare search.py", "plain Python beside all variants"),
                ("cord compare --repeat 5 --variants cord.toml,wide search.py", "beside two"),
            ),
        ),
        Command(
            "tune",
            "run a program under many settings, and add the best of them to the plan",
            "The program is run again and again, each time in a copy of the current folder and\n"
            "with the same standard input, in turns; what it shows must stay the same. Who is\n"
            "slower is given up. What is found is added to the plan as [variants.tuned], with its\n"
            "times beside it; nothing else in the file is touched. stderr tells of each run. Ends\n"
            "with 0, also where the plan is best as it is; with 2 if the plan cannot be written,\n"
            "or the program fails or does not show the same each time.",
            (CONFIG, SET, BUDGET, JSON, MODULE),
            passes_arguments=True,
            examples=(("cord tune --budget 10m search.py", ""),),
        ),
        Command(
            "predict",
            "from one trace, tell what other numbers of replicas and other plans would take",
            "TRACE is what cord run --trace has written. The program is not run: its calls are\n"
            "given to the dispatcher once more, in simulated time. --set changes the plan that\n"
            "the run had. Ends with 0, or with 2 if the trace cannot be read or simulated.",
            (REPLICAS, SET, VARIANT, SVG, JSON),
            operand="TRACE",
            examples=(
                ("cord run --trace search.trace search.py", "writes the trace"),
                ("cord predict --replicas 1..64 search.trace", ""),
            ),
        ),
        Command(
            "check",
            "check the plan, the program and the remote functions; run nothing",
            "Without PROGRAM it checks what cord serve would serve. Ends with 0 if there are no\n"
            "errors (warnings are no errors), with 1 if there are errors in the program or a\n"
            "remote module, with 2 if the plan is wrong.",
            (CONFIG, SET, VARIANT, JSON, MODULE),
            operand="[PROGRAM]",
            examples=(
                ("cord check search.py", ""),
                ("cord check", "the functions that cord serve would put behind HTTP"),
            ),
        ),
        Command(
            "explain",
            "say of each remote call how far ahead it can be made, and why; run nothing",
            "With --run, the program is run as by cord run; what follows PROGRAM belongs to it\n"
            "then. When it has ended, stderr tells of each call how often it was made ahead, by\n"
            "what and how far, or in place, and why; and of copies of the program what became of\n"
            "them, or why there were none; with --json, in a line of its own, the last one.",
            (CONFIG, SET, VARIANT, RUN, SOURCE, JSON, MODULE),
            examples=(
                ("cord explain search.py", "what the text tells; nothing runs"),
                ("cord explain --run search.py orchids.fasta", "what came of a run"),
            ),
        ),
        Command(
            "report",
            "tell what cord run --trace FILE has written down, as text and as a page",
            "The text goes to stdout. The page is one file that opens in a browser from disk: the\n"
            "program's own lines with what they cost, and all that happened, to be looked into.\n"
            "What the page held before is gone. With --json, only JSON is made.",
            (PAGE, JSON),
            operand="FILE",
            examples=(
                ("cord run --trace search.trace search.py", "writes it down"),
                ("cord report search.trace", "makes search.trace.html of it"),
            ),
        ),
        Command(
            "trace",
            "give what was written down of a run to other tools",
            "FILE is what cord run --trace has written. Ends with 0, or with 2 if it cannot be\n"
            "read or OUT not be written; what OUT held is gone.",
            (PERFETTO, OPENTELEMETRY),
            operand="FILE",
            examples=(("cord trace search.trace --perfetto search.json", ""),),
        ),
        Command(
            "doctor",
            "look at what this machine lets Cord do, and say what each means",
            "A line for each: cores, memory, shared memory, copies of programs and more. What\n"
            "holds Cord up has a ! in front. Ends with 0 if programs can be run, with 1 if not.",
            (JSON,),
            operand="",
        ),
        Command(
            "serve",
            "put remote functions behind HTTP, as [http] of the plan says",
            "PLAN is the cord.toml of the current folder, if none is named; modules are looked\n"
            "for beside it. A line on stderr says where it listens once functions can be called.\n"
            "At SIGTERM or Ctrl-C it accepts nothing more, answers what it has accepted, and ends\n"
            "with 0; with 1 if it is told a second time before it is done. SIGHUP lets it read\n"
            "plan and modules anew, and fails no request. Ends with 2 if the command line or the\n"
            "plan is wrong, a function cannot be a route, or the address cannot be had.",
            (SET, VARIANT, RELOAD),
            operand="[PLAN]",
            examples=(
                ("cord serve", "the cord.toml of this folder"),
                ("cord serve --set http.bind=0.0.0.0:80 api/cord.toml", "elsewhere"),
            ),
        ),
        Command(
            "agent",
            "serve this node for a program that runs elsewhere; what starts agents calls it",
            "With --connect, the environment variable CORD_AGENT_KEY holds the key of the run.\n"
            "Ends when the run does: with 0 if it came to its end, with 1 if the program was lost\n"
            "or this node cannot serve it, with 2 if the program is not to be found.\n"
            "With --serve it serves the programs that come, any number at a time, and ends with 0\n"
            "when SIGTERM or Ctrl-C says so; with 2 if it cannot listen.",
            (CONNECT, STDIO, SERVE, LISTEN, KEYS, RAY, NAME, KEPT),
            operand="",
            examples=(("cord agent --serve --keys agent.key --name lab", "a standing agent"),),
        ),
        Command(
            "kept",
            "show what runs have kept of calls (keep = true), and why a call was made again",
            "Without ACTION, a table: of each function how many calls are kept, and what that\n"
            "has saved. ACTION is one of\n\n"
            "  list [FUNCTION]         each kept call, with its key\n"
            "  show KEY                one: when it was made, what it has read and returned\n"
            "  why FUNCTION            why calls were made again in the last run, or not kept\n"
            "  why FILE:LINE           the same of the function that this line belongs to\n"
            "  clear [FUNCTION]        forget them, and the calls that cord replay knows\n"
            "  export FILE [FUNCTION]  write what they gave to a new file, to be carried away\n"
            "  import FILE             add what is in such a file; this is to trust its writer\n\n"
            "FUNCTION is a name with or without its module, KEY the beginning of a key. Ends\n"
            "with 0, or with 2 if there is no such thing, or the folder is not yours alone to\n"
            "write.",
            (PLAN_OF_KEPT, SET, VARIANT, JSON),
            operand="[ACTION [NAME [FUNCTION]]]",
            examples=(
                ("cord kept", "what is kept, by function"),
                ("cord kept why llm.ask", "why calls were made again"),
                ("cord kept why llm.py:12", "the same, by a line of the function"),
                ("cord kept clear llm.ask", "its calls are all made again"),
                ("cord kept export answers.kept llm.ask", "to be carried elsewhere"),
                ("cord kept --set run.kept=/data/kept list", "of another folder"),
            ),
        ),
        Command(
            "replay",
            "make a call of an earlier run again (keep = true), or all of them",
            "Without CALL, a list of the calls that runs have recorded, those that raised first.\n"
            "CALL is a key, or as much of it as tells it from others: the call is made again. Or\n"
            "it is a function: its calls are listed; with --pdb or --in, the last one that\n"
            "raised is made again; with these and no CALL, the last one of all that raised.\n\n"
            "--all makes calls of pure functions again, or all of the function that is named;\n"
            "those of repeatable ones, which ask others, are left out unless named, and it is\n"
            "said how many. Ends with 0 if the same came of it, or it was only listed; with 1 if\n"
            "something else came, or one of --all cannot be made any more; with 2 if there is no\n"
            "such call.",
            (PLAN_OF_KEPT, SET, VARIANT, ALL, PDB, IN, JSON),
            operand="[CALL]",
            examples=(
                ("cord replay", "which calls there are"),
                ("cord replay 3f2a", "one of them, made again"),
                ("cord replay --pdb", "the last one that raised, under a debugger"),
                ("cord replay --in replica 3f2a", "as a run makes it"),
                ("cord replay --all", "after an edit: which give something else"),
                ("cord replay --all llm.ask", "of a repeatable function, too"),
            ),
        ),
        Command(
            "keys",
            "make the two keys by which a standing agent and its clients know one another",
            "FOLDER is made if it is not there. Ends with 0, or with 2 if there are keys already,\n"
            "which are never overwritten, or if they cannot be written.",
            (),
            operand="FOLDER",
            examples=(("cord keys ~/.cord", ""),),
        ),
        Command(
            "completion",
            "print what lets a shell complete commands, options and files",
            "SHELL is bash, zsh or fish. Its line belongs in ~/.bashrc or ~/.zshrc; that\n"
            "for fish is run once.",
            (),
            operand="SHELL",
            examples=(
                ('eval "$(cord completion bash)"', "in ~/.bashrc"),
                ('eval "$(cord completion zsh)"', "in ~/.zshrc, after compinit"),
                ("cord completion fish > ~/.config/fish/completions/cord.fish", ""),
            ),
        ),
    )
}


def general_help() -> str:
    """What `cord --help` prints."""
    commands = [(command.name, command.summary) for command in COMMANDS.values()]
    return "\n".join(
        (
            "Runs a Python program with some of its modules in replicas, as cord.toml says.",
            "",
            "usage: cord COMMAND [OPTIONS] [PROGRAM [ARGS...]]",
            "",
            "commands:",
            *_columns(commands),
            "",
            "options:",
            *_columns(_describe((HELP, VERSION))),
            "",
            'Some work on something else than a program, or on nothing: "cord COMMAND --help"',
            "describes each.",
        )
    )


def command_help(command: Command) -> str:
    """What `cord COMMAND --help` prints."""
    summary = command.summary[0].upper() + command.summary[1:]
    parts = [f"{summary}.", "", f"usage: {command.usage}", ""]
    parts += ["options:", *_columns(_describe((*command.options, HELP)))]
    if command.details:
        parts += ["", command.details]
    if command.examples:
        parts += ["", "examples:", *_columns(list(command.examples))]
    return "\n".join(parts)


def _describe(options: tuple[Option, ...]) -> list[tuple[str, str]]:
    rows = []
    for option in options:
        value = f" {option.value}" if option.value else ""
        value += f"[={option.optional}]" if option.optional else ""
        rows.append((", ".join(option.names) + value, option.help))
    return rows


def _columns(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"  {name:<{width}}  {text}".rstrip() for name, text in rows]
