"""`cord completion`: scripts by which shells complete commands, options and files.

They are made of the same tables as the help, so what is completed is what there is.
"""

from __future__ import annotations

from cord.cli.commands import COMMANDS, HELP, VERSION, Command, Option
from cord.errors import CordError

# What the values of options and what commands work on are, by how the help calls them. Any other
# is a word of which nothing is known.
_PLANS = "*.toml"
_PROGRAMS = "*.py"
_ANY = "*"
_FOLDERS = "/"
_PATTERNS = {
    "PROGRAM": _PROGRAMS,
    "FILE": _ANY,
    "OUT": _ANY,
    "PAGE": _ANY,
    "PLAN": _PLANS,
    "TRACE": _ANY,
    "FOLDER": _FOLDERS,
}


def script(shell: str) -> str:
    """What the shell is to run.

    Args:
        shell: Its name.

    Raises:
        CordError: There is none for it.
    """
    made = {"bash": _bash, "zsh": _zsh, "fish": _fish}.get(shell)
    if made is None:
        raise CordError(
            f"{shell} is not a shell that Cord completes for",
            "cord completion bash, cord completion zsh or cord completion fish",
        )
    return made()


def _pattern(name: str | None, key: str = "") -> str:
    """Which files may stand there; "" for none."""
    return _PLANS if key == "config" else _PATTERNS.get((name or "").strip("[]"), "")


def _options(command: Command) -> tuple[Option, ...]:
    return (*command.options, HELP)


# ---- bash ----------------------------------------------------------------------------------------

_BASH = """\
# What completes the words of `cord` in bash; printed by `cord completion bash`.
_cord_files() {
    local name IFS=$'\\n'
    COMPREPLY=()
    for name in $(compgen -f -- "$2"); do
        if [[ -d $name ]]; then
            COMPREPLY+=("$name/")
        elif [[ $1 != / && ${name##*/} == $1 ]]; then
            COMPREPLY+=("$name")
        fi
    done
    compopt -o filenames -o nospace 2>/dev/null
    [[ ${#COMPREPLY[@]} == 1 && ! -d ${COMPREPLY[0]} ]] && compopt +o nospace 2>/dev/null
    return 0
}

_cord() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    local at=2 options valued operand passes files one
    local -
    set -f # patterns are no names of files yet
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '@FIRST@' -- "$word"))
        return
    fi
    case $command in
@CASES@
    *) return ;;
    esac
    while ((at < COMP_CWORD)); do
        one=${COMP_WORDS[at]}
        if [[ $one != -* ]]; then
            [[ $passes ]] && _cord_files '*' "$word"
            [[ $passes || $word != -* ]] && return
            break
        fi
        at=$((at + 1))
        for files in $valued; do
            if [[ ${files%%:*} == "$one" ]]; then
                if ((at == COMP_CWORD)); then
                    [[ ${files#*:} ]] && _cord_files "${files#*:}" "$word"
                    return
                fi
                at=$((at + 1))
                break
            fi
        done
    done
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ $operand == SHELL ]]; then
        COMPREPLY=($(compgen -W 'bash zsh fish' -- "$word"))
    elif [[ $operand ]]; then
        _cord_files "$operand" "$word"
    fi
}

complete -F _cord cord
"""


def _bash() -> str:
    cases = []
    for command in COMMANDS.values():
        options = " ".join(name for one in _options(command) for name in one.names)
        valued = " ".join(
            f"{name}:{_pattern(one.value, one.key)}"
            for one in command.options
            if one.value is not None
            for name in one.names
        )
        passes = "yes" if command.passes_arguments else ""
        operand = "SHELL" if command.operand == "SHELL" else _pattern(command.operand)
        cases.append(
            f"    {command.name}) options='{options}' valued='{valued}' operand='{operand}' "
            f"passes='{passes}' ;;"
        )
    first = " ".join((*COMMANDS, *HELP.names, *VERSION.names))
    return _BASH.replace("@FIRST@", first).replace("@CASES@", "\n".join(cases))


# ---- zsh -----------------------------------------------------------------------------------------

_ZSH = """\
#compdef cord
# What completes the words of `cord` in zsh; printed by `cord completion zsh`.
_cord() {
    local context state state_descr line
    typeset -A opt_args
    _arguments -C @FIRST@ '1:command:->command' '*::argument:->argument'
    case $state in
    command)
        local -a commands=(
@COMMANDS@
        )
        _describe command commands
        ;;
    argument)
        case $words[1] in
@CASES@
        esac
        ;;
    esac
}

if [[ $funcstack[1] == _cord ]]; then
    _cord "$@"
else
    compdef _cord cord
fi
"""
_ZSH_ACTIONS = {
    "": " ",
    _ANY: "_files",
    _PLANS: '_files -g "*.toml"',
    _PROGRAMS: '_files -g "*.py"',
    _FOLDERS: "_files -/",
}


def _zsh() -> str:
    cases = []
    for command in COMMANDS.values():
        specs = [_zsh_option(one) for one in _options(command)]
        if command.operand == "SHELL":
            specs.append("'1:SHELL:(bash zsh fish)'")
        elif command.operand:
            action = _ZSH_ACTIONS[_pattern(command.operand)]
            specs.append(f"'1:{command.operand}:{action}'")
        if command.passes_arguments:
            specs.append("'*::argument:_files'")
        joined = " \\\n                ".join(specs)
        cases.append(
            f"        {command.name})\n"
            f"            _arguments -S \\\n                {joined}\n            ;;"
        )
    commands = [f"            {_quoted(f'{one.name}:{one.summary}')}" for one in COMMANDS.values()]
    first = " ".join(_zsh_option(one) for one in (HELP, VERSION))
    text = _ZSH.replace("@FIRST@", first).replace("@COMMANDS@", "\n".join(commands))
    return text.replace("@CASES@", "\n".join(cases))


def _zsh_option(option: Option) -> str:
    text = option.help.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    tail = f"[{text}]"
    if option.value is not None:
        tail += f":{option.value}:{_ZSH_ACTIONS[_pattern(option.value, option.key)]}"
    if len(option.names) == 1:
        return _quoted(option.names[0] + tail)
    return f"'({' '.join(option.names)})'{{{','.join(option.names)}}}{_quoted(tail)}"


# ---- fish ----------------------------------------------------------------------------------------


def _fish() -> str:
    lines = [
        "# What completes the words of `cord` in fish; printed by `cord completion fish`.",
        "complete -c cord -f -n __fish_use_subcommand",
        *(
            f"complete -c cord -n __fish_use_subcommand {_fish_option(one)}"
            for one in (HELP, VERSION)
        ),
    ]
    for command in COMMANDS.values():
        told = _quoted(command.summary)
        lines.append(f"complete -c cord -n __fish_use_subcommand -a {command.name} -d {told}")
        seen = _quoted(f"__fish_seen_subcommand_from {command.name}")
        for option in _options(command):
            lines.append(f"complete -c cord -n {seen} {_fish_option(option)}")
        if command.operand == "SHELL":
            lines.append(f"complete -c cord -f -n {seen} -a 'bash zsh fish'")
        elif not command.operand:
            lines.append(f"complete -c cord -f -n {seen}")
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    words = [f"-s {name[1:]}" if len(name) == 2 else f"-l {name[2:]}" for name in option.names]
    if option.value is not None:
        words.append("-r" if _pattern(option.value, option.key) else "-x")
    return f"{' '.join(words)} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    """In single quotes, as all three shells have them."""
    return "'" + text.replace("'", "'\\''") + "'"
