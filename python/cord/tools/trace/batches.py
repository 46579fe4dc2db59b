"""Spans on their way: sent some hundred at a time, none left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opentelemetry.sdk.trace import SpanProcessor

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

# So many go at once.
_BATCH = 512


class Batches(SpanProcessor):
    """What the library's own processor does, but that it waits instead of leaving spans out.

    Args:
        exporter: Where they go.
        arrived: What that says where they have arrived.

    Attributes:
        sent: How many have arrived.
        lost: How many have not.
    """

    def __init__(self, exporter: SpanExporter, arrived: SpanExportResult) -> None:
        self._exporter = exporter
        self._arrived = arrived
        self._waiting: list[ReadableSpan] = []
        self.sent = 0
        self.lost = 0

    def on_end(self, span: ReadableSpan) -> None:
        """One more has ended."""
        self._waiting.append(span)
        if len(self._waiting) >= _BATCH:
            self.force_flush()

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Send all that wait; none more once some have not arrived."""
        waiting, self._waiting = self._waiting, []
        if self.lost or (waiting and self._exporter.export(waiting) != self._arrived):
            self.lost += len(waiting)
        else:
            self.sent += len(waiting)
        return not self.lost

    def shutdown(self) -> None:
        """Send what is left."""
        self.force_flush()
        self._exporter.shutdown()
