"""``cord trace --opentelemetry`` sends the calls of a run as spans."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from tests.trace.test_trace import CALLS, LOOP, cord, run


class Collector(HTTPServer):
    """Takes spans, as long as it is `open`."""

    spans: list[Any]
    services: set[str]
    open = True


class Taking(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            facts = {fact.key: fact.value.string_value for fact in resource.resource.attributes}
            self.server.services.add(facts["service.name"])
            self.server.spans += [one for scope in resource.scope_spans for one in scope.spans]
        self.send_response(200 if self.server.open else 400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with Collector(("127.0.0.1", 0), Taking) as server:
        server.spans, server.services = [], set()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in [name for name in os.environ if name.startswith("OTEL_")]:
            monkeypatch.delenv(name)
        endpoint = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        yield server
        server.shutdown()


def facts(span: Any) -> dict[str, Any]:
    return {
        fact.key: getattr(fact.value, fact.value.WhichOneof("value")) for fact in span.attributes
    }


def test_each_call_is_a_span_within_that_of_the_program(tmp_path: Path, collector: Collector):
    run(tmp_path, LOOP)
    done = cord(tmp_path, "trace", "run.trace", "--opentelemetry")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert collector.services == {"main.py"}
    (program,) = [span for span in collector.spans if not span.parent_span_id]
    calls = [span for span in collector.spans if span.parent_span_id == program.span_id]
    assert len(calls) >= CALLS
    ids = {span.span_id: span for span in calls}
    runs = [span for span in collector.spans if span.name == "run"]
    assert len(runs) >= CALLS
    for span in runs:
        call = ids[span.parent_span_id]
        assert call.start_time_unix_nano <= span.start_time_unix_nano
        assert span.end_time_unix_nano <= call.end_time_unix_nano
    about = facts(calls[0])
    assert calls[0].name == "work.nap(x)"
    assert about["code.file.path"] == str(tmp_path / "main.py")
    assert (about["code.line.number"], about["cord.module"]) == (4, "work")
    assert about["cord.outcome"] == "answered"


def test_who_does_not_take_them_is_told_of(tmp_path: Path, collector: Collector):
    run(tmp_path, LOOP)
    collector.open = False
    done = cord(tmp_path, "trace", "run.trace", "--opentelemetry")
    assert (done.returncode, done.stdout) == (2, "")
    assert "spans did not arrive" in done.stderr
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" in done.stderr
