"""The way from the arguments to the exit code.

Everything that only one command needs is imported when that command is given: `cord run` has little
time to lose.
"""

from __future__ import annotations

import os
import stat
import sys

from cord.cli.arguments import Arguments, parse
from cord.cli.commands import command_help, general_help
from cord.errors import CordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cord.plan.model import Plan
    from cord.plan.program import Program
    from cord.tools.explain.told import Report
    from cord.tools.run import Prepared

# The exit code for a wrong command line or plan, as Python and most commands have it.
WRONG_USAGE = 2
# The exit code where nobody reads stdout any more: that of a command that SIGPIPE ends.
UNREAD = 141


def run_command(words: list[str]) -> int:
    """Runs `cord` with the arguments `words`.

    Returns:
        The exit code: the program's own for `cord run`; 2 where the command line or the plan is
        wrong, which is then told on stderr.
    """
    try:
        arguments = parse(words)
        ready = _carry_out(arguments) if arguments.asks is None else _answer(arguments)
        if isinstance(ready, int) and sys.stdout is not None:
            sys.stdout.flush()
    except CordError as error:
        sys.stderr.write(f"cord: {error}\n")
        return WRONG_USAGE
    except BrokenPipeError:
        return _nobody_reads()
    except KeyboardInterrupt:
        # Python ends the process by the signal, as the shell expects of it.
        sys.excepthook = _say_nothing
        raise
    # outside the `try`: from here on, errors are the program's
    return ready if isinstance(ready, int) else ready.run()


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
        from importlib.metadata import version

        print(f"cord {version('cord')}")
    elif arguments.asks == "usage":
        sys.stderr.write(f"{general_help()}\n")
        return WRONG_USAGE
    elif arguments.command is not None:
        print(command_help(arguments.command))
    else:
        print(general_help())
    return 0


def _carry_out(arguments: Arguments) -> int | Prepared:
    from cord.plan import program as programs
    from cord.plan.read import read_plan, read_variants
    from cord.plan.words import BASE

    command = arguments.command.name if arguments.command is not None else ""
    if command == "doctor":
        _require_native_module()
        from cord.tools.doctor import examine

        return examine()
    if command == "agent":
        _require_native_module()
        from cord.tools.agent import serve, stand

        if arguments.serve:
            keys, name = arguments.keys or "", arguments.name or ""
            return stand(arguments.listen, keys, name, arguments.config)
        return serve(arguments.connect)
    if command == "keys":
        _require_native_module()
        from cord.tools.agent import make_keys

        return make_keys(arguments.program)
    if command == "import":
        _require_native_module()
        _require_parser()
        from cord.tools.notation.command import import_notation

        return import_notation(arguments.program, arguments.output)
    if command == "predict":
        return _predict(arguments)
    if arguments.module:
        program = programs.module(arguments.program)
        if not program.path and command != "run":
            raise CordError(f"the source of {program.name} is not found from {program.folder}")
    else:
        _require_program(arguments.program)
        program = programs.script(arguments.program)
    _require_native_module()
    if command == "compare":
        from cord.tools.compare.command import compare

        settings = arguments.settings
        plans = read_variants(arguments.config, settings, program, arguments.variants)
        repeat, as_data = arguments.repeat, arguments.json
        return compare(plans, program, arguments.rest, settings, repeat=repeat, as_data=as_data)
    variant = BASE if arguments.variant is None else arguments.variant
    plan = read_plan(arguments.config, arguments.settings, program, variant)
    if command == "check":
        from cord.tools.check import check

        return check(plan, program)
    if command == "explain":
        if arguments.run:
            from cord.tools.explain.told import Report
            from cord.tools.run import Prepared

            report = Report(plan, program)
            return Prepared(plan, program, arguments.rest, _again(arguments), (report,))
        from cord.tools.explain.command import explain

        return explain(plan, program, arguments.source)
    if command == "verify":
        from cord.tools.verify.command import verify

        return verify(plan, variant, program, arguments.rest, arguments.settings)
    return _prepare(arguments, plan, variant, program)


def _predict(arguments: Arguments) -> int:
    _require_native_module()
    from cord.tools.predict.command import predict

    path, replicas, settings = arguments.program, arguments.replicas, arguments.settings
    variant, picture = arguments.variant, arguments.svg
    return predict(path, replicas, settings, variant, picture, as_data=arguments.json)


def _prepare(arguments: Arguments, plan: Plan, variant: str, program: Program) -> Prepared:
    """What runs the program, with all that is to be told of the run."""
    from cord.tools.run import Prepared

    reports: list[Report] = []
    if arguments.stats:
        from cord.tools.report.stats import Stats

        reports.append(Stats(plan, program))
    if arguments.trace is not None:
        from cord.tools.trace.recording import Recording

        words, settings = arguments.rest, arguments.settings
        reports.append(Recording(plan, program, arguments.trace, words, settings, variant))
    return Prepared(plan, program, arguments.rest, _again(arguments), tuple(reports))


def _again(arguments: Arguments) -> list[str]:
    """What names the same program and plan to another command."""
    words = [] if arguments.config is None else ["-c", arguments.config]
    for setting in arguments.settings:
        words += ["--set", setting]
    if arguments.variant is not None:
        words += ["--variant", arguments.variant]
    return [*words, *(["-m"] if arguments.module else []), arguments.program]


def _require_program(program: str) -> None:
    try:
        mode = os.stat(program).st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CordError(
            f"the program {program} cannot be read: {reason}", _similar_file(program)
        ) from None
    if stat.S_ISDIR(mode):
        raise CordError(f"{program} is a folder, not a program", "name its main file")
    if program.endswith(".toml"):
        raise CordError(f"{program} is a plan, not a program", f"cord run -c {program} PROGRAM")
    if not os.access(program, os.R_OK):
        raise CordError(f"the program {program} cannot be read: Permission denied")


def _similar_file(program: str) -> str | None:
    """A hint naming the Python file that may have been meant."""
    from cord.plan.problems import nearest

    folder, name = os.path.split(program)
    try:
        files = [file for file in os.listdir(folder or ".") if file.endswith(".py")]
    except (OSError, ValueError):
        return None
    near = nearest(name, files)
    return f"did you mean {os.path.join(folder, near)}?" if near is not None else None


def _require_native_module() -> None:
    try:
        import cord._core  # noqa: F401
    except ImportError as error:
        raise CordError(
            f"Cord's native module cannot be loaded in this Python ({error})",
            "install Cord for this Python: pip install --force-reinstall cord",
        ) from None


def _require_parser() -> None:
    """What reads CORD's notation is an extra: most never import a configuration of CORD."""
    from importlib.util import find_spec

    if find_spec("lark") is None:
        raise CordError(
            "cord import needs the parser lark, which is not installed for this Python",
            'install it with Cord: pip install "cord[notation]"',
        )
