"""What is said of files that are wrong: where, and what; and what is made of the rest."""

from __future__ import annotations

import pytest
from imported import comments, errors, one_call, plan, remote

APP = """
module app {
  instance reader ::
  instance scorer ::
  bind reader score scorer score ::
}
"""
READER = """\
module reader {
  source = "C" "local" ::
  use interface score
    : callstyle = "async" ::
}
"""
SCORER = """\
module scorer {
  source = "C" "remote" ::
  define interface score
    : priority = "strlen(x)"
    : replication = "ant,bee" ::
}
"""
WHOLE = READER + SCORER + APP

# what is changed in it, to what, and what is said of it
CHANGES = [
    # marks
    ('"local" ::', '"local"', ["2:23: the `::` of this statement is missing here"]),
    ('"async" ::', '"async"', ["4:26: the `::` of this statement is missing here"]),
    (': callstyle = "a', 'callstyle = "a', ["3:22: the `:` before this attribute is missing here"]),
    ("module scorer {", "module scorer", ["6:14: the `{` of this module is missing here"]),
    (
        "::\n}\nmodule scorer",
        "::\nmodule scorer",
        ["4:29: the `}` of the module that begins at a.cfg:1:1 is missing here"],
    ),
    ("}\nmodule scorer", "}}\nmodule scorer", ["5:2: this `}` closes nothing"]),
    ("module app", 'x = "y" module app', ["13:1: this stands outside of every module"]),
    ('"async" ::', '"async ::', ["4:19: the string that begins here is not closed"]),
    # names
    (
        "interface score\n    : call",
        "interface\n    : call",
        ["3:16: a name is missing here", "16:15: reader does not use the interface score"],
    ),
    (
        "interface score\n    : call",
        "interface 3\n    : call",
        [
            "3:17: `3` cannot stand here; a name is expected",
            "16:15: reader does not use the interface score",
        ],
    ),
    (
        "module scorer",
        "module 3",
        [
            "6:8: `3` cannot stand here; a name is expected",
            "15:12: there is no module scorer with a source",
            "16:21: there is no module scorer with a source",
        ],
    ),
    # modules
    (
        "module scorer",
        "module reader",
        [
            "6:8: there is a module reader already at a.cfg:1:8",
            "15:12: there is no module scorer with a source",
            "16:21: there is no module scorer with a source",
        ],
    ),
    (
        '"remote"',
        '"remot"',
        ['7:16: the place of a source is "remot"; allowed: "local" or "remote"'],
    ),
    ('"C" "remote"', '"remote"', ["7:3: source takes two strings"]),
    ('source = "C" "remote" ::', "", ["6:8: the module scorer has no source"]),
    (
        'define interface score\n    : priority = "strlen(x)"\n    : replication = "ant,bee" ::',
        "",
        [
            "6:8: scorer is remote, but defines no interface that could be served",
            "14:28: scorer does not define the interface score",
        ],
    ),
    (
        'source = "C" "local" ::',
        'source = "C" "local" :: source = "C" "remote" ::',
        ["2:27: source is there already at a.cfg:2:3"],
    ),
    (
        'source = "C" "local"',
        'sauce = "C" "local"',
        ["2:3: sauce is not a statement of a module", "1:8: the module reader has no source"],
    ),
    # attributes
    (
        '"async"',
        '"asink"',
        ['4:19: callstyle is "asink"; allowed: "sync", "async" or "async-demand(N)"'],
    ),
    (
        '"async"',
        '"async-demand(0)"',
        ['4:19: callstyle is "async-demand(0)"; allowed: "sync", "async" or "async-demand(N)"'],
    ),
    ('"async"', "{ async }", ["4:7: callstyle takes one string"]),
    (
        "callstyle",
        "callstile",
        [
            "4:7: callstile is not an attribute of use, which may have callstyle, loadratio, "
            "pattern, accepts and interface"
        ],
    ),
    (
        "callstyle",
        "priority",
        [
            "4:7: priority is not an attribute of use, which may have callstyle, loadratio, "
            "pattern, accepts and interface"
        ],
    ),
    ('= "async"', '= "async" : callstyle = "sync"', ["4:29: callstyle is there twice"]),
    (
        '= "async"',
        '= "async" : loadratio = "1:1:1"',
        ["4:41: loadratio has 3 shares, and scorer 2 replicas"],
    ),
    (
        '= "async"',
        '= "async" : loadratio = "0:0"',
        ['4:41: loadratio is "0:0"; allowed: a whole number for each replica'],
    ),
    (
        '= "async"',
        '= "async" : interface = "nil"',
        ['4:41: interface is "nil"; allowed: "null" or "stdio"'],
    ),
    (
        '= "async"',
        '= "async" : pattern = { string',
        ["4:47: `,`, `{`, `}`, a name or a number is missing here"],
    ),
    # the application
    (
        "instance reader",
        "instance raeder",
        ["14:12: there is no module raeder with a source", "16:8: reader has no instance"],
    ),
    (
        "instance reader ::",
        "instance reader :: instance reader ::",
        ["14:31: instance reader is there already at a.cfg:14:12"],
    ),
    (
        "instance reader ::",
        "instance reader : single ::",
        ["14:21: single is not an attribute of instance, which may have standalone"],
    ),
    (
        "bind reader score scorer score",
        "bind reader score scorer",
        ["16:27: a name is missing here", "3:17: score of reader is not bound"],
    ),
    (
        "bind reader score scorer score",
        "bind reader skore scorer skore",
        [
            "16:15: reader does not use the interface skore",
            "16:28: scorer does not define the interface skore",
            "3:17: score of reader is not bound",
        ],
    ),
    (
        "bind reader score scorer score",
        "bind scorer score reader score",
        ["16:8: scorer serves score and does not call it"],
    ),
    (
        "bind reader score scorer score",
        "bind reader score elsewhere score",
        ["16:21: there is no module elsewhere with a source"],
    ),
    ("bind reader score scorer score", "", ["3:17: score of reader is not bound"]),
    (
        "bind reader score scorer score",
        "bind reader score scorer score ::\n  bind reader score scorer score",
        ["17:15: score of reader is bound already at a.cfg:16:3"],
    ),
    (
        "module app",
        "module frame { instance reader :: }\nmodule app",
        [
            "14:8: app is a second application; a plan is for one",
            "3:17: score of reader is not bound",
        ],
    ),
]


@pytest.mark.parametrize(("old", "new", "said"), CHANGES)
def test_mistakes(old, new, said):
    assert WHOLE.count(old) >= 1
    found = errors(WHOLE.replace(old, new, 1))
    assert sorted(found) == sorted(said)


def test_what_is_whole_is_said_to_be():
    assert errors(WHOLE) == []


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, new, _ in CHANGES[:5]])
def test_a_missing_mark_is_taken_as_if_it_were_there(old, new):
    assert plan(WHOLE.replace(old, new, 1)) == plan(WHOLE)


def test_one_mistake_spoils_its_attribute_only():
    text = WHOLE.replace('"strlen(x)"', '"strlen(x"').replace('"async"', '"asink"')
    left = {"replicas": ["ant", "bee"], "callstyle": "sync", "pure": True, "only": ["score"]}
    assert remote(text) == left
    assert comments(text) == [
        '# no equal (2:12): source = "C" "local" ::',
        '# left out (4:19): callstyle = "asink"',
        '# no equal (7:12): source = "C" "remote" ::',
        '# left out (9:27): priority = "strlen(x"',
    ]


def test_all_mistakes_are_told_at_once():
    text = WHOLE.replace("callstyle", "style").replace("priority", "prior").replace("bind", "bond")
    assert len(errors(text)) == 4


@pytest.mark.parametrize("text", ["", " \n", "/* nothing */"])
def test_a_file_without_modules(text):
    assert errors(text) == ["1:1: there is no module"]
    assert plan(text) == {}


def test_types_of_both_ends_of_a_bind():
    text = one_call(
        ": pattern = { string integer } : accepts = { float }",
        ": pattern = { string, integer } : returns = { real }",
    )
    assert errors(text) == [
        "1:94: accepts is not the returns of what it is bound to, at a.cfg:2:99"
    ]


def test_types_in_types():
    deep = "{" * 5000 + " float " + "}" * 5000
    assert errors(one_call(f": accepts = {deep}", f": returns = {deep}")) == []
    assert errors(one_call(": accepts = {{a} b}", ": returns = {a {b}}")) != []


def test_columns_count_characters():
    text = "module größe\U0001f600 { }"
    assert "1:13: `\U0001f600` cannot stand here" in errors(text)


def test_lines_end_as_on_windows_too():
    text = WHOLE.replace('"async"', '"asink"').replace("\n", "\r\n")
    assert errors(text) == [
        '4:19: callstyle is "asink"; allowed: "sync", "async" or "async-demand(N)"'
    ]


def test_one_client_cannot_call_one_function_in_two_styles():
    text = WHOLE.replace('"async" ::', '"async" :: use interface rate : callstyle = "sync" ::')
    text = text.replace("bind", "bind reader rate scorer score :: bind")
    assert errors(text) == ["3:17: reader calls score in another style at a.cfg:4:30"]


def test_shares_hold_for_all_functions_of_a_module():
    text = """
module reader { source = "C" "local" ::
  use interface f : loadratio = "1:2" ::
  use interface g ::
}
module scorer { source = "C" "remote" ::
  define interface f : replication = "a,b" ::
  define interface g ::
}
module app { instance reader :: instance scorer ::
  bind reader f scorer f :: bind reader g scorer g ::
}"""
    assert errors(text) == ["4:3: reader calls scorer in other shares elsewhere"]
    assert plan(text)["remote"]["scorer"]["loadratio"] == "1:2"
