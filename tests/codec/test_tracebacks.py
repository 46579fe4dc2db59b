"""A remote exception prints as the same exception raised here."""

from __future__ import annotations

import contextlib
import io
import sys
import traceback
from types import FunctionType

import pytest
import raising

from cord.runtime.travel.raised import decode_exception, encode_exception

CASES = [
    value
    for value in vars(raising).values()
    if isinstance(value, FunctionType) and value is not raising.deeper  # it needs an argument
]


def caught(function):
    """Return what a function raises, its traceback beginning in the function."""
    try:
        function()
    except BaseException as error:
        return error.with_traceback(error.__traceback__.tb_next)


def shown(error):
    """Return what the interpreter itself prints for an uncaught exception."""
    with contextlib.redirect_stderr(io.StringIO()) as text:
        sys.__excepthook__(type(error), error, error.__traceback__)
    return text.getvalue()


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_the_interpreter_prints_the_same(function):
    error = caught(function)
    data = encode_exception(error)
    text = shown(error)
    assert shown(decode_exception(data)) == text


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_the_traceback_module_formats_the_same(function):
    error = caught(function)
    assert traceback.format_exception(decode_exception(encode_exception(error))) == (
        traceback.format_exception(error)
    )


def test_frames_of_the_client_come_first():
    error = decode_exception(encode_exception(caught(raising.nested)))
    with pytest.raises(ZeroDivisionError) as raised:
        raise error
    names = [frame.name for frame in traceback.extract_tb(raised.tb)]
    assert names[0] == "test_frames_of_the_client_come_first"
    assert names[-1] == "deeper"


def test_frames_keep_qualified_names_and_columns():
    error = caught(raising.over_lines)
    back = decode_exception(encode_exception(error))
    for ours, theirs in zip(
        traceback.extract_tb(back.__traceback__),
        traceback.extract_tb(error.__traceback__),
        strict=True,
    ):
        assert ours == theirs
        assert (ours.colno, ours.end_colno) == (theirs.colno, theirs.end_colno)
    assert back.__traceback__.tb_frame.f_code.co_qualname == "over_lines"


def test_the_handled_exception_ends_the_chain_of_contexts():
    data = encode_exception(caught(raising.in_handlers))
    handled = LookupError("handled here")
    try:
        raise handled
    except LookupError:
        error = decode_exception(data)
    assert isinstance(error, FileNotFoundError)
    assert isinstance(error.__context__, KeyError)
    assert isinstance(error.__context__.__context__, ZeroDivisionError)
    assert error.__context__.__context__.__context__ is handled
