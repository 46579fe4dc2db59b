"""Whatever is read, the output is a plan, and what was said of replicas and calls is in it."""

from __future__ import annotations

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st
from imported import one_call
from lab.notation.command import convert
from lab.notation.source import Source

SERVERS = ("alpha", "beta", "gamma")
STYLES = ("sync", "async", "async-demand(3)")


@st.composite
def applications(draw: st.DrawFn) -> tuple[str, dict[str, list[str]], dict[tuple[str, str], str]]:
    """A file; the hosts of each server; the style in which each client calls each server."""
    servers = draw(st.lists(st.sampled_from(SERVERS), min_size=1, unique=True))
    clients = [f"client{number}" for number in range(draw(st.integers(1, 4)))]
    blank = st.sampled_from([" ", "\n", "\t ", "\r\n", " /* :: */ ", " # }\n"])
    words: list[str] = []
    hosts, styles, binds = {}, {}, []
    for server in servers:
        hosts[server] = [f"h{number}" for number in range(draw(st.integers(0, 4)))]
        replication = f': replication = "{",".join(hosts[server])}"' if hosts[server] else ""
        words += f'module {server} {{ source = "C" "remote" ::'.split()
        words += f"define interface {server}_f {replication} :: }}".split()
    for client in clients:
        words += f'module {client} {{ source = "C" "local" ::'.split()
        for server in draw(st.lists(st.sampled_from(servers), unique=True)):
            styles[client, server] = style = draw(st.sampled_from(STYLES))
            words += f'use interface my_{server} : callstyle = "{style}" ::'.split()
            binds.append(f"bind {client} my_{server} {server} {server}_f ::")
        words.append("}")
    words += "module app {".split()
    for name in (*servers, *clients):
        words += f"instance {name} ::".split()
    words += [word for bind in draw(st.permutations(binds)) for word in bind.split()] + ["}"]
    return "".join(word + draw(blank) for word in words), hosts, styles


@given(applications())
def test_what_was_said_is_in_the_plan(made):
    text, hosts, styles = made
    written, findings = convert(Source("a.cfg", text))
    plan = tomllib.loads(written)
    assert not any(finding.error for finding in findings.all())
    assert list(plan["remote"]) == list(hosts)
    for server, table in plan["remote"].items():
        assert table.get("replicas", 1) == (hosts[server] or 1)
        assert table["only"] == [f"{server}_f"]
    for (client, server), style in styles.items():
        remote = plan["remote"][server]
        own = plan.get("client", {}).get(client, {}).get("remote", {}).get(server, {})
        assert own.get("callstyle", remote["callstyle"]) == style
        assert style == "sync" or remote["pure"]


PIECES = st.sampled_from(
    "module use define interface instance bind source entrypoint pattern callstyle priority "
    'replication loadratio standalone x score scorer { } : :: = " "C" "remote" "async" "strlen(x)" '
    '"a(oc=(load>=3))#b:[1/2]" "1:1" /* */ // # \\ \n \r\n \0 \x7f \U0001f600 [ 3'.split(" ")
)


@given(st.one_of(st.text(), st.lists(PIECES).map(" ".join)))
@example('module x { define interface y : priority = "' + '\x7f\x01" :: }')
def test_any_text_gives_a_plan(text):
    written, findings = convert(Source("a\n.cfg", text))
    tomllib.loads(written)
    for finding in findings.all():
        assert 0 <= finding.offset <= len(text)


@given(st.text(), st.sampled_from(["callstyle", "loadratio", "priority", "replication"]))
def test_any_attribute_gives_a_plan(value, name):
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    attribute = f': {name} = "{quoted}"'
    on_use = name in ("callstyle", "loadratio")
    text = one_call(attribute, "") if on_use else one_call("", attribute)
    written, _ = convert(Source("a.cfg", text))
    tomllib.loads(written)


@given(applications(), st.data())
def test_a_piece_that_is_missing_is_told(made, data):
    text, *_ = made
    marks = [at for at in range(len(text)) if text.startswith(('"', "{", "}"), at)]
    at = data.draw(st.sampled_from(marks))
    if text.count("/*", 0, at) > text.count("*/", 0, at) or "#" in text[:at].rsplit("\n")[-1]:
        return  # in a comment
    written, findings = convert(Source("a.cfg", text[:at] + text[at + 1 :]))
    tomllib.loads(written)
    assert any(finding.error for finding in findings.all())


def test_a_file_that_ends_in_the_midst_is_told_of():
    _, findings = convert(Source("a.cfg", "module s define interface e:"))
    assert any(finding.error for finding in findings.all())
