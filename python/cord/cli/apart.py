"""The commands that are about something else than a program and its plan."""

from __future__ import annotations

from cord.errors import CordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cord.cli.arguments import Arguments


def _doctor(arguments: Arguments) -> int:
    from cord.tools.doctor import examine

    return examine(as_data=arguments.json)


def _agent(arguments: Arguments) -> int:
    from cord.tools.agent import serve, stand

    if arguments.serve:
        name = arguments.name or ""
        return stand(arguments.listen, arguments.keys, arguments.ray, name, arguments.config)
    return serve(arguments.connect)


def _keys(arguments: Arguments) -> int:
    from cord.tools.agent import make_keys

    return make_keys(arguments.program)


def _kept(arguments: Arguments) -> int:
    from cord.tools.kept.command import kept

    return kept(_folder(arguments), arguments.program, arguments.rest, as_data=arguments.json)


def _folder(arguments: Arguments) -> str:
    """Where what is kept of calls is."""
    from cord.plan.read import kept_folder
    from cord.plan.words import BASE

    return kept_folder(arguments.config, arguments.settings, arguments.variant or BASE)


def _predict(arguments: Arguments) -> int:
    from cord.tools.predict.command import predict

    path, replicas, settings = arguments.program, arguments.replicas, arguments.settings
    variant, picture = arguments.variant, arguments.svg
    return predict(path, replicas, settings, variant, picture, as_data=arguments.json)


def _replay(arguments: Arguments) -> int:
    import os
    import sys

    path = sys.path[:]
    here = ("", os.getcwd())  # the debugger's modules are the library's
    sys.path[:] = [entry for entry in path if entry not in here]
    try:
        from cord.tools.replay.command import replay
    finally:
        sys.path[:] = path
    from cord.plan.read import FILE_NAME, read_plan
    from cord.plan.words import BASE

    plan = os.path.abspath(arguments.config or FILE_NAME)  # calls have folders of their own
    settings, variant = arguments.settings, arguments.variant or BASE
    return replay(
        _folder(arguments),
        lambda program: read_plan(plan, settings, program, variant),
        arguments.program,
        arguments.place,
        every=arguments.all,
        debugs=arguments.pdb,
        as_data=arguments.json,
    )


def _report(arguments: Arguments) -> int:
    from cord.tools.trace.command import report

    return report(arguments.program, arguments.output, as_data=arguments.json)


def _trace(arguments: Arguments) -> int:
    from cord.tools.trace.exporting import export

    return export(arguments.program, arguments.perfetto, arguments.opentelemetry)


def _serve(arguments: Arguments) -> int:
    from cord.plan.words import BASE
    from cord.tools.serve.command import serve

    config, variant = arguments.program or None, arguments.variant or BASE
    return serve(config, arguments.settings, variant, reloads=arguments.reload)


def _completion(arguments: Arguments) -> int:
    from cord.cli.completion import script

    print(script(arguments.program), end="")
    return 0


APART: dict[str, Callable[[Arguments], int]] = {
    "agent": _agent,
    "completion": _completion,
    "doctor": _doctor,
    "kept": _kept,
    "keys": _keys,
    "predict": _predict,
    "replay": _replay,
    "report": _report,
    "serve": _serve,
    "trace": _trace,
}


def require_native_module() -> None:
    """See that there is one for this Python.

    Raises:
        CordError: There is not.
    """
    try:
        import cord._core  # noqa: F401
    except ImportError as error:
        raise CordError(
            f"Cord's native module cannot be loaded in this Python ({error})",
            "install Cord for this Python: pip install --force-reinstall cord-run",
        ) from None
