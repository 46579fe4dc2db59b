"""One function's parameters: decoded from a request, and validated against their hints."""

from __future__ import annotations

import re
import typing
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import msgspec

from cord.web.json_types import foreign_in
from cord.web.parameters import (
    BODY,
    HEADER,
    MEMBER,
    PATH,
    QUERY,
    RAW,
    READER,
    STREAM,
    Parameter,
    RouteError,
)
from cord.web.wrong import all_wrong, told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_JSON = re.compile(r"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
_FORM = re.compile(r"application/x-www-form-urlencoded\s*(?:;.*)?", re.IGNORECASE)


class Invalid(Exception):
    """A request that does not fit the function.

    Attributes:
        status: The status that says so.
        detail: What is wrong.
        errors: Each wrong value: where it is, and what is wrong with it.
    """

    def __init__(self, status: int, detail: str, errors: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.errors = list(errors)


class Binding:
    """How requests of one route become arguments.

    Args:
        parameters: The function's.
        names: The path's parameters, in the order in which values come.
        headers: The parameters that are given headers, in the order in which values come.
        called: What messages call the function.

    Raises:
        RouteError: A hint cannot be decoded.
    """

    def __init__(
        self, parameters: list[Parameter], names: Sequence[str], headers: Sequence[str], called: str
    ) -> None:
        self._parameters = parameters
        self._names = list(names)
        self._headers = list(headers)
        self._groups = {
            source: _Group(source, [one for one in parameters if one.source == source], called)
            for source in (PATH, QUERY, HEADER, MEMBER)
        }
        self._lists = frozenset(
            one.name for one in parameters if one.source in (QUERY, MEMBER) and _is_list(one.hint)
        )
        self._whole: tuple[str, Any, bool] | None = None
        self.raw = next((one for one in parameters if one.source == RAW), None)
        self.stream = next((one for one in parameters if one.source in (STREAM, READER)), None)
        for one in parameters:
            if one.source == BODY:
                self._whole = (one.name, _decoder_of(one, called), one.is_needed)
        self._positional = [one for one in parameters if not one.by_name]
        self._named = [one for one in parameters if one.by_name]

    @property
    def wants_body(self) -> bool:
        """Whether any of it is in the body."""
        return bool(self._groups[MEMBER].names or self._whole or self.raw or self.stream)

    def arguments(
        self,
        path: list[str],
        query: str,
        headers: list[str | None],
        content_type: str | None,
        body: Any,
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments that a request gives.

        Args:
            path: The values of the path's parameters.
            query: The query, as it came.
            headers: The values of the headers that were asked for; None for one that is absent.
            content_type: The body's content type; None where it has none.
            body: The body: bytes, or the stream for a function that reads one.

        Raises:
            Invalid: The request does not fit.
        """
        values: dict[str, Any] = {}
        wrong: list[dict[str, Any]] = []
        sources: tuple[tuple[Callable[..., dict[str, Any]], Any, Any], ...] = (
            (self._texts, path, headers),
            (self._pairs_of, query, QUERY),
            (self._of_body, content_type, body),
        )
        for decode, one, other in sources:
            try:
                values.update(decode(one, other))
            except Invalid as error:
                if not error.errors:
                    raise
                wrong += error.errors
        if wrong:
            raise _invalid(wrong)
        if self.raw is not None:
            values[self.raw.name] = body if self.raw.hint is bytes else self.raw.hint(body)
        elif self.stream is not None:
            values[self.stream.name] = body
        positional, named = [], {}
        for one in self._positional:
            positional.append(values.get(one.name, one.default))
        for one in self._named:
            if one.name in values:
                named[one.name] = values[one.name]
        return positional, named

    def _texts(self, path: list[str], headers: list[str | None]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if self._names:
            values.update(self._groups[PATH].convert(dict(zip(self._names, path, strict=True))))
        if self._headers:
            given = zip(self._headers, headers, strict=False)
            texts = {name: text for name, text in given if text is not None}
            values.update(self._groups[HEADER].convert(texts))
        return values

    def _pairs_of(self, text: str, where: str) -> dict[str, Any]:
        group = self._groups[where]
        return group.convert(self._pairs(text, where)) if group.names else {}

    def _of_body(self, content_type: str | None, body: Any) -> dict[str, Any]:
        if self._groups[MEMBER].names:
            return self._members(content_type, body)
        return self._decode_whole(content_type, body) if self._whole is not None else {}

    def _pairs(self, text: str, where: str) -> dict[str, Any]:
        """The pairs of a query, or of a form in the body: a list for parameters that are lists."""
        found: dict[str, Any] = {}
        try:
            pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=1000)
        except ValueError:
            what = "query" if where == QUERY else "form"
            raise Invalid(422, f"The {what} cannot be decoded.") from None
        for name, value in pairs:
            if name in self._lists:
                found.setdefault(name, []).append(value)
            elif name in found:
                raise _invalid([{"where": [where, name], "what": "It is there twice"}])
            else:
                found[name] = value
        return found

    def _members(self, content_type: str | None, body: bytes) -> dict[str, Any]:
        group = self._groups[MEMBER]
        if content_type is not None and _FORM.fullmatch(content_type):
            try:
                text = bytes(body).decode("ascii")
            except UnicodeDecodeError:
                raise Invalid(422, "The form cannot be decoded.") from None
            return group.convert(self._pairs(text, BODY), known_only=True)
        _require_json(content_type, "JSON or a form")
        return group.decode(body if len(body) else b"{}")

    def _decode_whole(self, content_type: str | None, body: bytes) -> dict[str, Any]:
        assert self._whole is not None
        name, decoder, is_needed = self._whole
        if not len(body) and not is_needed:
            return {}
        _require_json(content_type, "JSON")
        return {name: _decoded(decoder, body)}


class _Group:
    """Parameters that come from one place."""

    def __init__(self, source: str, parameters: list[Parameter], called: str) -> None:
        self.names = [one.name for one in parameters]
        self._source = BODY if source == MEMBER else source
        fields: list[Any] = []
        for one in parameters:
            _decoder_of(one, called)
            if one.is_needed:
                fields.append((one.name, one.hint))
            else:
                fields.append((one.name, one.hint | msgspec.UnsetType, msgspec.UNSET))
        self._type = msgspec.defstruct("Parameters", fields, kw_only=True)
        strict = msgspec.defstruct("Parameters", fields, kw_only=True, forbid_unknown_fields=True)
        self._strict = strict
        self._decoder = msgspec.json.Decoder(strict)

    def convert(self, texts: dict[str, Any], *, known_only: bool = False) -> dict[str, Any]:
        kind = self._strict if known_only else self._type
        try:
            made = msgspec.convert(texts, kind, strict=False, str_keys=True)
        except msgspec.ValidationError:
            raise _invalid(all_wrong(self._source, texts, kind, strict=False)) from None
        return self._values(made)

    def decode(self, body: Any) -> dict[str, Any]:
        return self._values(_decoded(self._decoder, body))

    def _values(self, made: Any) -> dict[str, Any]:
        values = {}
        for name in self.names:
            value = getattr(made, name)
            if value is not msgspec.UNSET:
                values[name] = value
        return values


def _decoded(decoder: Any, body: Any) -> Any:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        wrong = [told([BODY], error)]
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            wrong = all_wrong(BODY, msgspec.json.decode(body), decoder.type, strict=True)
        raise _invalid(wrong or [told([BODY], error)]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid(400, f"The body is not JSON: {error}.") from None
    except RecursionError:
        raise Invalid(400, "The body is nested too deeply.") from None


def _require_json(content_type: str | None, allowed: str) -> None:
    if content_type is not None and not _JSON.fullmatch(content_type):
        raise Invalid(415, f"The body must be {allowed}, not {content_type}.")


def _invalid(errors: list[dict[str, Any]]) -> Invalid:
    where = ".".join(str(step) for step in errors[0]["where"])
    return Invalid(422, f"{where}: {errors[0]['what']}.", errors)


def _is_list(hint: Any) -> bool:
    args = typing.get_args(hint)
    origin = typing.get_origin(hint) or hint
    if origin in (list, set, frozenset, tuple):
        return True
    return any(_is_list(one) for one in args if one is not type(None)) and origin not in (dict,)


def _decoder_of(parameter: Parameter, called: str) -> Any:
    """What decodes a parameter.

    Raises:
        RouteError: Its hint says what no request has.
    """
    try:
        foreign = foreign_in(parameter.hint)
        if foreign is not None:
            raise _undecodable(parameter, called, f"nothing that JSON has is a {foreign.__name__}")
        return msgspec.json.Decoder(parameter.hint)
    except TypeError as error:
        raise _undecodable(parameter, called, error) from None


def _undecodable(parameter: Parameter, called: str, why: object) -> RouteError:
    return RouteError(
        f"the parameter {parameter.name} of {called}() cannot be decoded: {why}",
        "use types that JSON has, dataclasses or TypedDicts of them, or bytes for the body",
    )
