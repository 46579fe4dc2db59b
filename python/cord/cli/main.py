"""The way from the arguments to the exit code.

Everything that only one command needs is imported when that command is given: `cord run` has little
time to lose.
"""

from __future__ import annotations

import gc
import os
import stat
import sys

from cord.cli.apart import APART, require_native_module
from cord.cli.arguments import Arguments, parse
from cord.cli.commands import command_help, general_help
from cord.errors import CordError, PlanError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.cli.commands import Command
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.explain.told import Report
    from cord.tools.run import Prepared
    from cord.tools.unplanned.program import Unplanned

# The exit code for a wrong command line or plan, as Python and most commands have it.
WRONG_USAGE = 2
# The exit code where nobody reads stdout any more: that of a command that SIGPIPE ends.
UNREAD = 141


def run_command(words: list[str], collects: bool = True) -> int:
    """Runs `cord` with the arguments `words`; `collects`: garbage is to be collected.

    Returns:
        The exit code: the program's own for `cord run`; 2 where the command line or the plan is
        wrong, which is then told on stderr.
    """
    try:
        arguments = parse(words)
        ready = _answer(arguments) if arguments.asks else _carry_out(arguments, collects)
        if isinstance(ready, int) and sys.stdout is not None:
            sys.stdout.flush()
    except CordError as error:
        if isinstance(error, PlanError) and error.engine != "local":
            from cord.tools.run import is_said_elsewhere

            if is_said_elsewhere(error):
                return 0  # what has started the ranks might end the first before it has spoken
        _tell(f"cord: {error}")
        return WRONG_USAGE
    except BrokenPipeError:
        return _nobody_reads()
    except KeyboardInterrupt:
        # Python ends the process by the signal, as the shell expects of it.
        sys.excepthook = _say_nothing
        raise
    # outside the `try`: from here on, errors are the program's
    return ready if isinstance(ready, int) else ready.run()


def _tell(text: str) -> None:
    """Says on stderr what is wrong; with colours where it is a terminal, or said to be one."""
    if sys.stderr is None:
        return
    if not sys.stderr.isatty() and "FORCE_COLOR" not in os.environ:
        sys.stderr.write(f"{text}\n")  # no time is lost for what nobody sees
        return
    from cord.tools.colours import show

    show(text.split("\n"), on_stderr=True)


def _nobody_reads() -> int:
    """What `cord explain ... | head` ends with: no more can be written, at exit neither."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return UNREAD


def _say_nothing(*_: object) -> None:
    """What Cord was doing when it was interrupted is of no interest."""


def _answer(arguments: Arguments) -> int:
    """Prints what is asked about Cord itself."""
    if arguments.asks == "version":
        from cord.cli.version import facts

        require_native_module()
        print(facts())
    elif arguments.asks == "usage":
        sys.stderr.write(f"{general_help()}\n")
        return WRONG_USAGE
    elif arguments.command is not None:
        print(command_help(arguments.command))
    else:
        print(general_help())
    return 0


def _carry_out(arguments: Arguments, collects: bool) -> int | Prepared | Unplanned:
    from cord.plan import program as programs
    from cord.plan.read import read_variants
    from cord.plan.words import BASE

    command = arguments.command.name if arguments.command is not None else ""
    if (
        command not in ("run", "batch") and collects
    ):  # `run` goes on without it until the program begins
        gc.enable()
    if command in APART:
        if command != "completion":
            require_native_module()
        return APART[command](arguments)
    if arguments.module:
        program = programs.module(arguments.program)
        if not program.path and command != "run":
            from cord.plan.modules import modules_beside
            from cord.plan.problems import did_you_mean

            parent = arguments.program.rpartition(".")[0]
            raise CordError(
                f"the source of {program.name} is not found from {program.folder}",
                did_you_mean(arguments.program, modules_beside(program, parent)),
            )
    elif not arguments.program:
        return _check_service(arguments)
    else:
        _require_program(arguments.program, command)
        program = programs.script(arguments.program)
        if program.is_archive and command != "run":
            raise CordError(
                f"{program.name} is an archive, whose source cord {command} does not read",
                f"unpack it, and name its main file: python -m zipfile -e {program.name} unpacked",
            )
    require_native_module()
    if (command in ("run", "batch") or arguments.run) and not sys.flags.safe_path:
        from cord.tools.shadowing import keep_apart

        keep_apart(program.folder)  # before the plan is read, which may read modules
    if command == "init":
        return _init(arguments, program)
    if command == "compare":
        from cord.tools.compare.command import compare

        settings = arguments.settings
        plans = read_variants(arguments.config, settings, program, arguments.variants)
        repeat, as_data = arguments.repeat, arguments.json
        return compare(plans, program, arguments.rest, settings, repeat=repeat, as_data=as_data)
    if command == "tune":
        return _tune(arguments, program)
    if command == "run":
        return _run(arguments, program, collects)
    if command == "batch":
        return _batch(arguments, program, collects)
    variant = BASE if arguments.variant is None else arguments.variant
    plan = _plan(arguments, program, variant)
    if command == "check":
        from cord.tools.check import check

        return check(plan, program, as_data=arguments.json)
    if command == "explain":
        if arguments.run:
            from cord.tools.explain.told import Report
            from cord.tools.explain.told_as_data import ReportAsData
            from cord.tools.run import Prepared

            report = (ReportAsData if arguments.json else Report)(plan, program)
            words = _again(arguments)
            return Prepared(plan, program, arguments.rest, words, (report,), collects=collects)
        from cord.tools.explain.command import explain

        return explain(plan, program, source=arguments.source, as_data=arguments.json)
    from cord.tools.verify.command import verify

    rest, settings = arguments.rest, arguments.settings
    return verify(plan, variant, program, rest, settings, as_data=arguments.json)


def _check_service(arguments: Arguments) -> int:
    """`cord check` without a program: what there is to say of what `cord serve` would serve."""
    from cord.plan.program import Program
    from cord.plan.read import FILE_NAME, read_plan
    from cord.plan.words import BASE
    from cord.tools.check import check

    require_native_module()
    path = FILE_NAME if arguments.config is None else arguments.config
    folder = os.path.dirname(os.path.abspath(path))
    service = Program("the service", "", folder, os.path.dirname(path))
    if not os.path.isfile(path):
        raise CordError(
            "there is no program to check, and no plan of a service", "cord check PROGRAM"
        )
    plan = read_plan(path, arguments.settings, service, arguments.variant or BASE)
    if plan.http is None:
        raise CordError(
            f"{path} has no [http], so it is for a program", f"cord check -c {path} PROGRAM"
        )
    return check(plan, service, as_data=arguments.json)


def _init(arguments: Arguments, program: Program) -> int:
    from cord.tools.init.command import init, init_from_last_run

    if arguments.from_last_run:
        return init_from_last_run(program, arguments.rest)
    return init(program, arguments.rest, as_data=arguments.json, accept=arguments.accept)


def _run(arguments: Arguments, program: Program, collects: bool) -> Prepared | Unplanned:
    from cord.plan.words import BASE

    if arguments.rest and arguments.command is not None:
        _look_behind(arguments, arguments.command, program)
    seeks = True
    if not _needs_no_plan(arguments, program):
        variant = BASE if arguments.variant is None else arguments.variant
        try:
            plan = _plan(arguments, program, variant)
        except PlanError as error:
            if error.auto is None or arguments.live or arguments.trace:
                raise
            seeks = error.auto
        else:
            return _prepare(arguments, plan, variant, program, collects)
    from cord.tools.unplanned.program import Unplanned

    rest, stats = arguments.rest, arguments.stats
    return Unplanned(program, rest, stats, collects=collects, seeks=seeks)


def _batch(arguments: Arguments, program: Program, collects: bool) -> Prepared | Unplanned:
    from cord.plan.words import BASE

    variant = BASE if arguments.variant is None else arguments.variant
    plan = _plan(arguments, program, variant)
    remote = {name: one.layered() for name, one in plan.remote.items()}
    if not any(one.is_layered for one in remote.values()):
        raise CordError(
            f"{plan.path} has no function with submit, so there is nothing to be sent as a batch",
            'submit = "ask_all" in the table of a function names the one that sends its calls',
        )
    return _prepare(arguments, plan.but(remote=remote), variant, program, collects)


def _look_behind(arguments: Arguments, command: Command, program: Program) -> None:
    """Say so if an option of Cord's stands behind a program that knows nothing of such a one."""
    names = [name for option in command.options for name in option.names if name[:2] == "--"]
    for word in arguments.rest:
        name = word.partition("=")[0]
        if name not in names:
            continue
        from cord.plan.problems import mentions

        if not (program.is_archive or mentions(program.folder, name[2:])):
            _tell(
                f"cord: {name} stands behind {program.name}, so it is the program's own\n\n"
                f"hint: cord run {word} {program.name}"
            )
            return


def _needs_no_plan(arguments: Arguments, program: Program) -> bool:
    """Whether a program is run that has no plan, and nothing is asked that needs one."""
    from cord.plan.read import is_planned

    named = arguments.config, arguments.variant, arguments.trace
    asks = arguments.settings or arguments.live or arguments.repeatable or arguments.auto == "off"
    return named == (None, None, None) and not asks and not is_planned(program)


def _plan(arguments: Arguments, program: Program, variant: str) -> Plan:
    """The plan: a file, or for `--repeatable` one that says no more than that."""
    from cord.plan.read import is_planned, read_given, read_plan
    from cord.plan.words import WAITERS
    from cord.tools.init import accepted

    if not arguments.repeatable:
        plan = read_plan(arguments.config, arguments.settings, program, variant)
        if not plan.remote and arguments.command is not None and arguments.command.name != "run":
            raise CordError(
                f"{plan.path} makes no module remote, so there is nothing to look at",
                "cord run is for plans with [pools] alone",
            )
        return plan
    if arguments.config is not None or is_planned(program):
        raise CordError(
            "--repeatable is for programs without a plan, and there is one",
            "write repeatable = true into the table of the module",
        )
    tables: dict[str, list[str]] = {}
    for name in arguments.repeatable:
        module, _, function = name.rpartition(".")
        if not module:
            raise CordError(
                f"--repeatable is {name}; allowed: a function with its module",
                f"for example --repeatable llm.{name}",
            )
        outer, _, owner = module.rpartition(".")
        if outer and program.find(module) is None and program.find(outer) is not None:
            module, function = outer, f"{owner}.{function}"  # a method
        tables.setdefault(module, []).append(function)
    given = {
        module: {"repeatable": True, "inside": True, "replicas": WAITERS, "only": only}
        for module, only in tables.items()
    }
    plan = read_given({"remote": given}, program)
    accepted.remember(program, arguments.repeatable)
    return plan


def _tune(arguments: Arguments, program: Program) -> int:
    from cord.plan.read import read_plan, read_variants
    from cord.tools.tune.command import tune

    settings = arguments.settings
    plan = read_plan(arguments.config, settings, program)
    variants = list(read_variants(plan.path, settings, program, None))
    budget, as_data = arguments.budget, arguments.json
    return tune(plan, variants, program, arguments.rest, settings, budget=budget, as_data=as_data)


def _prepare(
    arguments: Arguments, plan: Plan, variant: str, program: Program, collects: bool
) -> Prepared | Unplanned:
    """What runs the program, with all that is to be told of the run."""
    if not plan.remote:  # it is about pools alone
        from cord.tools.unplanned.program import Unplanned

        return Unplanned(program, arguments.rest, collects=collects, seeks=False, feeds=plan.pools)
    from cord.tools.run import Prepared

    reports: list[Report] = []
    if arguments.stats or plan.stats:
        from cord.tools.report.stats import Stats

        file = arguments.stats if isinstance(arguments.stats, str) else None
        reports.append(Stats(plan, program, file))
    if arguments.trace is not None:
        from cord.tools.trace.recording import Recording

        words, settings = arguments.rest, arguments.settings
        reports.append(Recording(plan, program, arguments.trace, words, settings, variant))
    words, live = _again(arguments), arguments.live
    rest, told = arguments.rest, tuple(reports)
    return Prepared(plan, program, rest, words, told, live=live, collects=collects)


def _again(arguments: Arguments) -> list[str]:
    """What names the same program and plan to another command."""
    words = [] if arguments.config is None else ["-c", arguments.config]
    for name in arguments.repeatable:
        words += ["--repeatable", name]
    for setting in arguments.settings:
        words += ["--set", setting]
    if arguments.variant is not None:
        words += ["--variant", arguments.variant]
    return [*words, *(["-m"] if arguments.module else []), arguments.program]


def _require_program(program: str, command: str) -> None:
    try:
        mode = os.stat(program).st_mode
    except (OSError, ValueError) as error:
        from cord.plan.problems import similar_file  # not where there is no problem

        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CordError(
            f"the program {program} cannot be read: {reason}", similar_file(program, ".py")
        ) from None
    if stat.S_ISDIR(mode):
        raise CordError(f"{program} is a folder, not a program", _main_file(program, command))
    if program.endswith(".toml"):
        again = f"cord {command} -c {program} PROGRAM"
        raise CordError(f"{program} is a plan, not a program", again)
    if program.endswith(".ipynb"):
        raise CordError(
            f"{program} is a notebook, not a program",
            "in its cells, %load_ext cord makes %%cord known: a cell below it runs ahead",
        )
    if program.endswith(".ipy"):
        raise CordError(
            f"{program} is a script of IPython's, which Python cannot run",
            f"ipython --ext=cord {program}, with %%cord as its first line",
        )
    if not os.access(program, os.R_OK):
        raise CordError(f"the program {program} cannot be read: Permission denied")


def _main_file(folder: str, command: str) -> str:
    """A hint naming what can be run in a folder."""
    files = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
    if "__main__.py" in files and "__init__.py" in files and folder.isidentifier():
        return f"cord {command} -m {folder}"
    likely = [name for name in ("__main__.py", "main.py") if name in files] or files
    return f"name its main file{f', such as {os.path.join(folder, likely[0])}' if likely else ''}"
