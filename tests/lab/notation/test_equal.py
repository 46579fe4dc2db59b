"""What the statements of a file are equal to."""

from __future__ import annotations

import pytest
from imported import APP, CLIENT, SERVER, comments, errors, notes, one_call, plan, remote


def test_the_smallest_application():
    assert plan(one_call()) == {"remote": {"scorer": {"only": ["score"]}}}
    assert errors(one_call()) == []


@pytest.mark.parametrize(
    ("written", "style"),
    [
        ("sync", "sync"),
        ("async", "async"),
        ("async-demand(5)", "async-demand(5)"),
        (" async-demand( 12 ) ", "async-demand(12)"),
    ],
)
def test_callstyle(written, style):
    assert remote(one_call(f': callstyle = "{written}"'))["callstyle"] == style


def test_an_asynchronous_style_takes_pure_for_granted_and_says_so():
    text = one_call(': callstyle = "async"')
    assert remote(text)["pure"] is True
    assert any(
        note == "1:63: an asynchronous style needs functions without effects, "
        "so pure = true is written for score of scorer"
        for note in notes(text)
    )
    assert "pure" not in remote(one_call(': callstyle = "sync"'))


def test_more_than_one_replica_takes_pure_for_granted():
    assert remote(one_call("", ': replication = "ant, bee"'))["pure"] is True
    assert "pure" not in remote(one_call("", ': replication = "ant"'))


def test_hosts_are_replicas():
    assert remote(one_call("", ': replication = "harvey,bugs"'))["replicas"] == ["harvey", "bugs"]


def test_loadratio_has_a_share_for_each_replica():
    text = one_call(': loadratio = "2 : 1 : 1"', ': replication = "a,b,c"')
    assert remote(text)["loadratio"] == "2:1:1"


def test_a_remote_module_with_dots_is_quoted():
    text = one_call().replace("scorer", "shop.scorer")
    assert list(plan(text)["remote"]) == ["shop.scorer"]


def test_names_of_uses_are_the_clients_own():
    text = (
        CLIENT.format(uses='use interface rate : callstyle = "async" ::')
        + SERVER.format(defines="define interface score ::")
        + APP.format(binds="bind reader rate scorer score ::")
    )
    one = {"replicas": 1, "callstyle": "async", "pure": True, "only": ["score"]}
    assert remote(text) == one
    assert "3:64: what reader calls rate is score there" in notes(text)


def test_one_client_of_two_servers():
    text = """
        module reader { source = "C" "local" ::
          use interface parse : callstyle = "async" ::
          use interface store : callstyle = "sync" :: }
        module parser { source = "C" "remote" :: define interface parse :: }
        module keeper { source = "C" "remote" :: define interface store :: }
        module app { instance reader :: instance parser :: instance keeper ::
          bind reader parse parser parse :: bind reader store keeper store :: }"""
    assert plan(text)["remote"] == {
        "parser": {"replicas": 1, "callstyle": "async", "pure": True, "only": ["parse"]},
        "keeper": {"callstyle": "sync", "only": ["store"]},
    }


def test_servers_that_call_servers():
    text = """
        module reader { source = "C" "local" :: use interface parse : callstyle = "async" :: }
        module parser { source = "C" "remote" :: define interface parse ::
          use interface look_up : callstyle = "sync" :: }
        module tables { source = "C" "remote" :: define interface look_up :: }
        module app { instance reader :: instance parser :: instance tables ::
          bind reader parse parser parse :: bind parser look_up tables look_up :: }"""
    assert plan(text)["remote"]["parser"]["callstyle"] == "async"
    assert plan(text)["remote"]["tables"]["callstyle"] == "sync"


def clients(*attributes: str, define: str = "") -> str:
    """As many clients of score, c0 first, as attributes of a use are given."""
    names = [f"c{number}" for number in range(len(attributes))]
    modules = [
        f'module {name} {{ source = "C" "local" :: use interface score {attribute} :: }}'
        for name, attribute in zip(names, attributes, strict=True)
    ]
    binds = [f"instance {name} :: bind {name} score scorer score ::" for name in names]
    server = SERVER.format(defines=f"define interface score {define} ::")
    return "\n".join([*modules, server, f"module app {{ instance scorer :: {' '.join(binds)} }}"])


def test_clients_that_agree():
    text = clients(': callstyle = "async"', ': callstyle = "async"')
    assert plan(text)["remote"]["scorer"]["callstyle"] == "async"
    assert "client" not in plan(text)


def test_most_clients_say_what_is_usual():
    text = clients(': callstyle = "sync"', ': callstyle = "async"', ': callstyle = "async"')
    assert plan(text)["remote"]["scorer"]["callstyle"] == "async"
    assert plan(text)["client"] == {"c0": {"remote": {"scorer": {"callstyle": "sync"}}}}


def test_of_two_clients_the_first_says_what_is_usual():
    text = clients(': callstyle = "async-demand(2)"', "")
    assert plan(text)["remote"]["scorer"]["callstyle"] == "async-demand(2)"
    assert plan(text)["client"]["c1"] == {"remote": {"scorer": {"callstyle": "sync"}}}


def test_a_loadratio_that_not_all_have_is_the_clients_own():
    text = clients(': loadratio = "1:2"', "", define=': replication = "a,b"')
    assert "loadratio" not in plan(text)["remote"]["scorer"]
    assert plan(text)["client"] == {"c0": {"remote": {"scorer": {"loadratio": "1:2"}}}}
    text = clients(': loadratio = "1:2"', ': loadratio = "3:1"', define=': replication = "a,b"')
    assert plan(text)["remote"]["scorer"]["loadratio"] == "1:2"
    assert plan(text)["client"] == {"c1": {"remote": {"scorer": {"loadratio": "3:1"}}}}


TWO = (
    SERVER.format(
        defines='define interface f : priority = "1" :: define interface g : priority = "-x" ::'
    )
    + 'module reader { source = "C" "local" :: use interface f : callstyle = "async" :: '
    'use interface g : callstyle = "sync" :: }\n'
)


def test_settings_of_functions():
    text = TWO + APP.format(binds="bind reader f scorer f :: bind reader g scorer g ::")
    assert plan(text) == {
        "remote": {
            "scorer": {
                "callstyle": "async",
                "only": ["f", "g"],
                "functions": {
                    "f": {"pure": True, "priority": "1"},
                    "g": {"callstyle": "sync", "priority": "-x"},
                },
            }
        }
    }


def test_a_client_that_has_two_functions_the_other_way_round():
    text = (
        TWO
        + 'module other { source = "C" "local" :: use interface f : callstyle = "sync" ::'
        + ' use interface g : callstyle = "async" :: }\n'
        + APP.format(
            binds="instance other :: bind reader f scorer f :: bind reader g scorer g ::"
            "bind other f scorer f :: bind other g scorer g ::"
        )
    )
    assert plan(text)["client"]["other"]["remote"]["scorer"] == {
        "functions": {"f": {"callstyle": "sync"}, "g": {"callstyle": "async"}}
    }


def test_replicas_are_of_the_whole_module():
    same = ': replication = "a,b"'
    text = SERVER.format(defines=f"define interface f {same} :: define interface g {same} ::")
    assert errors(text) == []
    assert remote(text)["replicas"] == ["a", "b"]
    text = SERVER.format(
        defines=f'define interface f {same} :: define interface g : replication = "c" ::'
    )
    assert errors(text) == ["1:107: another interface of scorer has other replicas"]
    assert remote(text)["replicas"] == ["a", "b"]


def test_without_an_application_uses_go_to_the_define_of_their_name():
    text = CLIENT.format(uses='use interface score : callstyle = "async" ::') + SERVER.format(
        defines="define interface score ::"
    )
    assert remote(text)["callstyle"] == "async"
    assert "1:1: no module holds instances, so each use goes to the define of its name" in notes(
        text
    )


def test_what_is_called_in_its_own_process_needs_no_table():
    text = one_call().replace('"remote"', '"local"')
    assert plan(text) == {}
    assert "3:70: scorer is local, so its functions are called as they are" in notes(text)


def test_what_has_no_equal_stays_as_a_comment():
    text = """module scorer {
  source = "C" "remote" ::
  entrypoint = "main" ::
  define interface score
    : pattern = { string { integer
                           float } }
    : returns = { float }
    : interface = "null" ::
}
module spare { source = "C" "remote" :: define interface score :: }
module app {
  instance scorer : standalone ::
  interface = "stdio" ::
}
"""
    assert errors(text) == []
    assert comments(text) == [
        '# no equal (2:12): source = "C" "remote" ::',
        '# no equal (3:3): entrypoint = "main" ::',
        "# no equal (5:7): pattern = { string { integer",
        "#                          float } }",
        "# no equal (7:7): returns = { float }",
        '# no equal (8:7): interface = "null"',
        '# no equal (10:8): module spare { source = "C" "remote" :: define interface score :: }',
        "# no equal (12:21): standalone",
        '# no equal (13:3): interface = "stdio" ::',
    ]
    assert len(notes(text)) == 9


@pytest.mark.parametrize("language", ["Python", "python3"])
def test_python_has_an_equal(language):
    text = one_call().replace('"C"', f'"{language}"')
    assert notes(text) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\n\t "),
        lambda text: text.replace(" ", "\r\n"),
        lambda text: text.replace("::", '::\n/* a } comment :: */ // " and\n# another {\n'),
        lambda text: text.replace(" :: ", "::").replace(" : ", ":").replace(" = ", "="),
    ],
)
def test_blank_space_and_comments_are_free(change):
    text = one_call(': callstyle = "async"', ': replication = "a,b" : priority = "x+1"')
    assert plan(change(text)) == plan(text)
    assert errors(change(text)) == []


def test_strings_may_go_over_several_lines():
    link = "{}(oc=(load>=3))#{}:[1/2]"
    joined = ",\n     ".join([link.format("a", "b"), link.format("b", "c").replace(":[", "\n:[")])
    text = one_call("", f': replication = "{joined}"')
    assert errors(text) == []
    assert remote(text)["replicas"] == ["a", "b", "c"]
