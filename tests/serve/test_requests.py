"""What a request means to a function, and what a result is to HTTP."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from web_lab import Server, wait_for

BYTES = bytes(range(256)) * 4096 * 8  # 8 MiB


def test_paths_and_queries_are_decoded_by_hints(usual: Server) -> None:
    answer = usual.ask("/hello/caf%C3%A9%20%2F")
    assert (answer.status, answer.body.decode()) == (200, "hello café /")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert usual.ask("/add?a=2&b=3&other=1").json == {"sum": 5}
    assert usual.ask("/add?a=2").json == {"sum": 3}
    assert usual.ask("/total?of=1.5&of=2&scale=2").json == 7.0


def test_bodies_are_objects_of_the_parameters(usual: Server) -> None:
    assert usual.ask_json("/add", {"a": 1, "b": 5}).json == {"sum": 6}
    assert usual.ask_json("/total", {"of": [1, 2]}).json == 3.0
    form = usual.ask("/add", "POST", "a=1&b=2", content_type="application/x-www-form-urlencoded")
    assert form.json == {"sum": 3}


def test_a_parameter_that_is_a_dataclass_is_the_whole_body(usual: Server) -> None:
    assert usual.ask_json("/move?by=4", {"x": 1}).json == {"x": 5, "y": 0}


@pytest.mark.parametrize(
    ("target", "body", "status", "where"),
    [
        ("/add?a=x", None, 422, ["query", "a"]),
        ("/add", None, 422, ["query", "a"]),
        ("/add?a=1&a=2", None, 422, ["query", "a"]),
        ("/add", {"a": "1"}, 422, ["body", "a"]),
        ("/add", {"a": 1, "c": 2}, 422, ["body", "c"]),
        ("/add", [1], 422, ["body"]),
        ("/total", {"of": [1, "x"]}, 422, ["body", "of", 1]),
        ("/move", {"x": None}, 422, ["body", "x"]),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(
    usual: Server, target: str, body: object, status: int, where: list[Any]
) -> None:
    answer = usual.ask(target) if body is None else usual.ask_json(target, body)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["status"] == status
    assert [error["where"] for error in answer.json["errors"]] == [where]


def test_a_body_that_is_no_json_is_refused(usual: Server) -> None:
    for body in ("{", "\xff", "[" * 100_000, ""):
        answer = usual.ask("/move", "POST", body.encode("latin-1"), content_type="application/json")
        assert answer.status in (400, 422), body[:10]
    assert usual.ask("/add", "POST", "a", content_type="text/plain").status == 415


def test_headers_are_given_to_the_parameters_that_the_route_names(usual: Server) -> None:
    assert usual.ask("/agent/x", user_agent="me").body == b"x by me"


def test_results_have_the_form_that_their_type_says(usual: Server) -> None:
    assert usual.ask("/nothing", "DELETE").status == 204
    made = usual.ask("/made/a", "PUT")
    assert (made.status, made.headers["location"], made.json) == (201, "/a", {"name": "a"})
    assert made.headers["content-type"] == "application/json"
    echo = usual.ask("/echo", "POST", BYTES)
    assert (echo.headers["content-type"], echo.body) == ("application/octet-stream", BYTES)


def test_an_exception_is_told_to_the_operator_and_not_to_the_client(usual: Server) -> None:
    answer = usual.ask("/fail?word=secret-1")
    assert answer.status == 500
    assert b"secret" not in answer.body
    usual.await_line("ValueError: secret-1")
    assert any("work.py" in line and "in fail" in line for line in usual.lines)
    assert not any("requests.py" in line for line in usual.lines)


def test_an_exception_whose_class_has_a_status_is_that_problem(usual: Server) -> None:
    answer = usual.ask("/find/x")
    assert (answer.status, answer.json["detail"]) == (404, "there is no x")


def test_a_result_that_json_has_not_is_an_error_of_the_server(usual: Server) -> None:
    assert usual.ask("/broken").status == 500
    usual.await_line("the result of work.broken() cannot be sent")


def test_unknown_paths_and_methods(usual: Server) -> None:
    assert usual.ask("/none").status == 404
    other = usual.ask("/add", "DELETE")
    assert (other.status, other.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")
    options = usual.ask("/add", "OPTIONS")
    assert (options.status, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    head = usual.ask("/hello/you", "HEAD")
    assert (head.status, head.headers["content-length"], head.body) == (200, "9", b"")


def test_a_body_may_be_read_as_it_comes(usual: Server) -> None:
    answer = usual.ask("/digest", "POST", BYTES * 4)
    assert answer.json == {
        "bytes": len(BYTES) * 4,
        "sha256": hashlib.sha256(BYTES * 4).hexdigest(),
    }


def test_bodies_go_both_ways_at_once(usual: Server) -> None:
    with usual.connect() as connection:
        connection.sendall(
            b"POST /twice HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        whole = b""
        for word in (b"one", b"two"):
            connection.sendall(b"3\r\n" + word + b"\r\n")
            while word + word not in whole:  # before the body is at its end
                whole += connection.recv(4096)
        connection.sendall(b"0\r\n\r\n")
        while not whole.endswith(b"0\r\n\r\n"):
            whole += connection.recv(4096)
    assert b"transfer-encoding: chunked" in whole


def test_generators_are_lines_or_events(usual: Server) -> None:
    lines = usual.ask("/count?to=2")
    assert lines.headers["content-type"] == "application/jsonl"
    assert lines.body == b'{"number":0}\n{"number":1}\n'
    events = usual.ask("/count?to=2", accept="text/event-stream")
    assert events.headers["content-type"] == "text/event-stream"
    assert events.body == b'data: {"number":0}\n\ndata: {"number":1}\n\n'
    assert usual.ask("/count?to=0").body == b""
    assert usual.ask("/count?to=x").status == 422


def test_a_stream_that_breaks_off_does_not_look_whole(usual: Server) -> None:
    text = usual.say(b"GET /breaks HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert b"first " in text
    assert not text.endswith(b"0\r\n\r\n")
    usual.await_line("ValueError: in the midst")


def test_who_calls_from_pages_of_other_sites(usual: Server) -> None:
    assert usual.ask("/hello/x", origin="https://evil.example").status == 403
    known = usual.ask("/hello/x", origin="https://app.example")
    assert known.headers["access-control-allow-origin"] == "https://app.example"
    asked = usual.ask(
        "/add",
        "OPTIONS",
        origin="https://app.example",
        access_control_request_method="POST",
        access_control_request_headers="content-type",
    )
    assert asked.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS, POST"
    assert asked.headers["access-control-allow-headers"] == "content-type"
    assert usual.ask("/hello/x", host="evil.example").status == 421


def test_two_origins_are_none(usual: Server) -> None:
    origin = b"origin: https://app.example\r\n"
    head = b"GET /hello/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    assert usual.say(head + origin + b"\r\n").startswith(b"HTTP/1.1 200 ")
    assert usual.say(head + 2 * origin + b"\r\n").startswith(b"HTTP/1.1 403 ")


def test_encoded_bodies_are_refused(usual: Server) -> None:
    told = usual.ask("/add", "POST", b"x", content_encoding="gzip")
    assert (told.status, told.json["title"]) == (415, "Unsupported Media Type")
    head = b"POST /add HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: "
    for coding in (b"gzip, chunked", b"gzip\r\ntransfer-encoding: chunked"):
        said = usual.say(head + coding + b"\r\n\r\n0\r\n\r\n")
        assert said.startswith(b"HTTP/1.1 501 "), said


def test_methods_of_one_path_may_name_its_parameters_otherwise(usual: Server) -> None:
    assert usual.ask("/item/you").body == b"hello you"
    assert usual.ask("/item/you", "DELETE").json["detail"] == "there is no you"
    described = usual.ask("/openapi.json").json["paths"]
    assert "/item/{key}" not in described
    operations = [one["operationId"] for path in described.values() for one in path.values()]
    assert len(set(operations)) == len(operations)
    names = [one["parameters"][0]["name"] for one in described["/item/{name}"].values()]
    assert names == ["name", "name"]


def test_what_is_served_is_described(usual: Server) -> None:
    told = usual.ask("/openapi.json").json
    assert told["openapi"] == "3.1.0"
    hello = told["paths"]["/hello/{name}"]["get"]
    assert hello["summary"] == "Greet somebody."
    assert hello["parameters"] == [
        {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    ]
    body = told["paths"]["/move"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/Point"}
    assert told["components"]["schemas"]["Point"]["required"] == ["x"]
    page = usual.ask("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert b"http://" not in page.body and b"https://" not in page.body


def test_health_and_metrics(usual: Server) -> None:
    assert usual.ask("/healthz").body == b"ok\n"
    assert usual.ask("/readyz").body == b"ready\n"
    name = 'cord_http_requests_total{method="GET",route="/hello/{name}",status="200"}'
    before = usual.metric(name)
    usual.ask("/hello/metrics")
    assert usual.metric(name) == before + 1
    assert usual.metric('cord_pool_size{module="work"}') == 2


def test_each_request_is_a_line_of_the_log(usual: Server) -> None:
    usual.ask("/hello/logged?a=1")
    path = usual.folder / "access.log"
    line = wait_for(
        lambda: next((one for one in path.read_text().splitlines() if "logged" in one), "")
    )
    assert line.startswith("127.0.0.1 - - [")
    assert '"GET /hello/logged?a=1" 200 12 ' in line


def test_all_that_is_wrong_with_a_request_is_told_at_once(usual: Server) -> None:
    def wrong(target: str, body: object = None) -> list[list[Any]]:
        answer = usual.ask(target) if body is None else usual.ask_json(target, body)
        return [one["where"] for one in answer.json["errors"]]

    assert wrong("/add?a=x&b=y") == [["query", "a"], ["query", "b"]]
    named = wrong("/add", {"b": "y", "c": 1})
    assert sorted(one[1] for one in named) == ["a", "b", "c"]
    assert wrong("/total", {"of": [1, "x", "y"], "scale": "z"}) == [
        ["body", "of", 1],
        ["body", "of", 2],
        ["body", "scale"],
    ]
    assert wrong("/move?by=q", {"x": None}) == [["query", "by"], ["body", "x"]]


def test_operations_have_names_of_functions(usual: Server) -> None:
    described = usual.ask("/openapi.json").json
    names = [one["operationId"] for path in described["paths"].values() for one in path.values()]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
    assert described["info"] == {"title": "Remote functions", "version": "0.0.0"}
