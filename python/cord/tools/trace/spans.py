"""A trace as spans of OpenTelemetry: one of the program, in it one for each call, in that its run.

They are sent by OpenTelemetry's own exporter, by OTLP over HTTP, to where its variables say
(`OTEL_EXPORTER_OTLP_ENDPOINT` and others); `OTEL_SERVICE_NAME` is the program's name where it is
not set.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cord.errors import CordError

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from cord.tools.trace.reading import Trace

_NANO = 1_000_000_000


def send(trace: Trace) -> None:
    """Send a trace.

    Raises:
        CordError: The exporter is not installed, or the trace did not arrive.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SpanExportResult
    except ImportError as error:
        raise CordError(
            f"OpenTelemetry's exporter cannot be imported: {error}",
            'install it with Cord: pip install "cord-run[opentelemetry]"',
        ) from None
    from cord.tools.trace.batches import Batches

    name = os.path.basename(trace.program)
    own = {} if "OTEL_SERVICE_NAME" in os.environ else {SERVICE_NAME: name}
    provider = TracerProvider(resource=Resource.create(own))
    batches = Batches(OTLPSpanExporter(), SpanExportResult.SUCCESS)
    provider.add_span_processor(batches)
    _tell(trace, name, provider.get_tracer("cord"))
    provider.shutdown()
    if batches.lost:
        raise CordError(
            f"{batches.lost:,} of {batches.sent + batches.lost:,} spans did not arrive",
            "OTEL_EXPORTER_OTLP_ENDPOINT names who takes them, such as http://localhost:4318",
        )


def _tell(trace: Trace, name: str, tracer: Tracer) -> None:
    """Begin and end all spans."""
    from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context

    began = int(trace.head["began"] * _NANO)
    last = int(trace.end.get("seconds", 0.0) * _NANO)
    program = tracer.start_span(
        name, start_time=began, attributes={"cord.engine": trace.head["engine"]}
    )
    within = set_span_in_context(program)
    places = {one["place"]: one for one in trace.places()}
    nodes = trace.traced.nodes
    modules = trace.modules
    for number, place, module, (issued, ended), ran, (sent, came), outcome in trace.traced.calls():
        about = places.get(place)
        call = tracer.start_span(
            about["call"] if about is not None else modules[module],
            within,
            SpanKind.CLIENT,
            {
                "cord.call": number,
                "cord.module": modules[module],
                "cord.outcome": outcome,
                "cord.bytes.sent": sent,
                "cord.bytes.came": came,
                **_code_of(about),
            },
            start_time=began + issued,
        )
        if outcome == "lost":
            call.set_status(StatusCode.ERROR, "the call was lost")
        if ran is not None:
            from_, until, replica = ran
            run = tracer.start_span(
                "run",
                set_span_in_context(call),
                SpanKind.SERVER,
                {"cord.replica": replica, **_node_of(nodes.get(replica))},
                start_time=began + from_,
            )
            run.end(began + until)
        end = ended if ended is not None else issued
        call.end(began + end)
        last = max(last, end)
    program.end(began + last)


def _node_of(node: str | None) -> dict[str, str]:
    return {} if node is None else {"cord.node": node}


def _code_of(about: dict[str, object] | None) -> dict[str, str | int]:
    """Where a call stands, by OpenTelemetry's names for that."""
    if about is None or about["file"] is None:
        return {}
    lines = about["lines"]
    assert isinstance(lines, list)
    return {"code.file.path": str(about["file"]), "code.line.number": int(lines[0])}
