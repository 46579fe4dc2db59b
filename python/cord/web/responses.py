"""What comes of a call, as the front end sends it: a head, and the body behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

import msgspec

JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
BYTES: Final = "application/octet-stream"
TEXT: Final = "text/plain; charset=utf-8"
# Bodies from so many bytes on travel beside the head, not copied into it.
_BESIDE_FROM: Final = 16 << 10

# What the front end's status lines call those which Python renames from version to version.
_TITLES: Final = {
    413: "Payload Too Large",
    414: "URI Too Long",
    416: "Range Not Satisfiable",
    422: "Unprocessable Entity",
}

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # of a header, as RFC 9110 has it

_encode_head = msgspec.msgpack.Encoder().encode
encode_json = msgspec.json.Encoder().encode

Frame = tuple[bytes, list[Any]]


def head(status: int, content_type: str | None, headers: list[str] | None = None) -> bytes:
    """The head of a response.

    Args:
        status: The status.
        content_type: What the body is; None for what has none.
        headers: Names and values in turn.
    """
    return _encode_head((status, content_type, headers))


_JSON_HEAD = head(200, JSON)
_TEXT_HEAD = head(200, TEXT)
_BYTES_HEAD = head(200, BYTES)
_NOTHING: Frame = (head(204, None), [])


class Unsendable(Exception):
    """A result that cannot be sent. The text says why."""


def frame_of(value: Any) -> Frame:
    """The response that a result is.

    Raises:
        Unsendable: It is none.
    """
    if type(value) is str:
        return _whole(_TEXT_HEAD, _utf8(value))
    if value is None:
        return _NOTHING
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _whole(_BYTES_HEAD, value)
    if has_parts(value):
        return _of_parts(value)
    return _whole(_JSON_HEAD, _json(value))


def has_parts(value: Any) -> bool:
    """Whether a result says its status, headers and body itself."""
    return hasattr(value, "status") and hasattr(value, "headers") and hasattr(value, "body")


def _of_parts(value: Any) -> Frame:
    """The response of a result with `status`, `headers` and `body`."""
    status, named = status_of(value), headers_of(value)
    body = value.body
    if isinstance(body, Iterator):
        body = b"".join(pieces(body, is_events=False))
    kind, content = body_of(body)
    given = next((text for name, text in named if name.lower() == "content-type"), None)
    flat = [part for name, text in named if name.lower() != "content-type" for part in (name, text)]
    return _whole(head(status, given or kind, flat), content)


def status_of(value: Any) -> int:
    """Its status.

    Raises:
        Unsendable: It is none.
    """
    status = value.status
    if isinstance(status, bool) or not isinstance(status, int) or not 200 <= status <= 599:
        raise Unsendable(f"its status is {status!r}, not a whole number from 200 to 599")
    return int(status)


def headers_of(value: Any) -> list[tuple[str, str]]:
    """Its headers.

    Raises:
        Unsendable: They are none.
    """
    headers = value.headers
    pairs = headers.items() if isinstance(headers, Mapping) else (headers or ())
    found = []
    for pair in pairs:
        try:
            name, text = pair
        except (TypeError, ValueError):
            raise Unsendable("its headers are neither a dict nor a list of pairs") from None
        name, text = str(name), str(text)
        if any(sign in text for sign in "\r\n\0") or not _NAME.fullmatch(name):
            raise Unsendable(f"its header {name!r} is {text!r}, which HTTP does not allow")
        found.append((name, text))
    return found


def body_of(body: Any) -> tuple[str | None, Any]:
    """The content type and the bytes of a body."""
    if body is None:
        return None, b""
    if isinstance(body, str):
        return TEXT, _utf8(body)
    if isinstance(body, (bytes, bytearray, memoryview)):
        return BYTES, body
    return JSON, _json(body)


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Unsendable(str(error)) from None


def _json(value: Any) -> bytes:
    try:
        return encode_json(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Unsendable(str(error)) from None


def _whole(head: bytes, body: Any) -> Frame:
    if len(body) >= _BESIDE_FROM:
        return head, [body]
    return head + body, []


def problem(status: int, detail: str, errors: list[dict[str, Any]] | None = None) -> Frame:
    """Problem details, as RFC 9457 has them.

    Args:
        status: The status.
        detail: What is wrong with this request.
        errors: Each wrong value of it: where it is, and what is wrong.
    """
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": _title(status),
        "status": status,
        "detail": detail,
    }
    if errors:
        content["errors"] = errors
    return head(status, PROBLEM) + encode_json(content), []


def _title(status: int) -> str:
    """What a status is called, as in the front end's status lines, in all versions of Python."""
    if status in _TITLES:
        return _TITLES[status]
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def piece(value: Any, *, is_event: bool) -> bytes:
    """One item of a stream: an event, or its bytes, its text, or a line of JSON."""
    if not is_event:
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value)
        return _utf8(value) if isinstance(value, str) else _json(value) + b"\n"
    if isinstance(value, (bytes, bytearray, memoryview)):
        value = bytes(value).decode("utf-8", "replace")
    text = value if isinstance(value, str) else _json(value).decode()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _utf8("".join(f"data: {line}\n" for line in lines)) + b"\n"


def pieces(values: Iterator[Any], *, is_events: bool) -> Iterator[bytes]:
    """The items of a stream, as they are sent."""
    for value in values:
        yield piece(value, is_event=is_events)


def kind_of(value: Any, *, is_events: bool) -> str:
    """The content type of a stream with such an item first."""
    if is_events:
        return "text/event-stream"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return BYTES
    return TEXT if isinstance(value, str) else "application/jsonl"
