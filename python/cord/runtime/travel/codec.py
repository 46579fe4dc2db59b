"""How values travel: codecs by their numbers; and what is said of values that cannot travel.

Pickle is the first codec. In the client it is native code's, and mostly in replicas, too.
"""

from __future__ import annotations

from cord._core import PICKLE
from cord.errors import EncodeError
from cord.runtime.travel import pickled

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any, Protocol

    # A value as it travels: the number of its codec, the encoding itself, large buffers beside it.
    Encoded = tuple[int, bytes, list[Any]]

    class Codec(Protocol):
        """How values become bytes, and bytes values.

        A call is a value, too: the function's name, its arguments, its named ones.
        """

        def encode(self, value: object, buffers: list[Any]) -> tuple[bytes, bool]:
            """Encode a value.

            Args:
                value: The value.
                buffers: Large buffers are put here; they travel beside the encoding.

            Returns:
                The encoding, and whether other calls can be given it as it is.

            Raises:
                EncodeError: It cannot be encoded. Of what pickle raises, `argument_error` and
                    `result_error` make one.
            """

        def decode(self, head: bytes, buffers: list[Any]) -> Any:
            """Make what `encode` was given, anew.

            Args:
                head: The encoding.
                buffers: The buffers that came with it.
            """


CODECS: dict[int, Codec] = {PICKLE: pickled}


def of(number: int) -> Codec:
    """The codec with a number.

    Args:
        number: As it came with the bytes.

    Raises:
        EncodeError: There is none.
    """
    try:
        return CODECS[number]
    except KeyError:
        known = ", ".join(str(one) for one in sorted(CODECS))
        raise EncodeError(
            f"a value has come that is encoded by codec {number}; known here are: {known}",
            "let the program and its replicas run the same version of Cord",
        ) from None


def decode(encoded: Encoded) -> Any:
    """Make a value of what came."""
    number, head, buffers = encoded
    return of(number).decode(head, buffers)


def encode_error(exc: BaseException, root: object, function: object, where: str) -> EncodeError:
    """Say which argument of a call cannot travel, and why.

    Args:
        exc: What pickling the arguments raised.
        root: The arguments, as `(args, kwargs)`.
        function: The function called, or its name; with the function itself the message
            names its parameters.
        where: Call site as "search.py:14"; "" if not known.

    Returns:
        The error to raise, with `exc` as its cause.
    """
    from cord.runtime.travel.unpicklable import argument_error  # only for a failure

    return argument_error(exc, root, function, where)


def result_error(exc: BaseException, value: object, name: str) -> EncodeError:
    """Say which part of a result cannot travel, and why.

    Args:
        exc: What pickling the result raised.
        value: The result.
        name: Name of the remote function.

    Returns:
        The error to send, with `exc` as its cause.
    """
    if isinstance(exc, EncodeError):
        return exc  # it says so itself
    return value_error(exc, value, f"the result of {name}()", "")


def value_error(exc: BaseException, value: object, what: str, where: str) -> EncodeError:
    """Say which part of a value cannot travel, and why.

    Args:
        exc: What pickling the value raised.
        value: The value.
        what: What it is called in the message.
        where: Call site as "search.py:14"; "" if not known.

    Returns:
        The error to raise, with `exc` as its cause.
    """
    from cord.runtime.travel.unpicklable import value_error  # only for a failure

    return value_error(exc, value, what, where)


def decoding_error(exc: BaseException, name: str) -> EncodeError:
    """Say that a call arrived, but its arguments cannot be decoded or its function is missing.

    Args:
        exc: What decoding, or looking for the function, raised.
        name: Name of the remote function; "" if it was not even decoded.

    Returns:
        The error to send, with `exc` as its cause.
    """
    if isinstance(exc, EncodeError):
        return exc  # it says so itself
    if name:
        message = f"the replica has no function {name}(): {exc}"
        hint = "a function that its module defines in the client only cannot be called remotely"
    else:
        message = f"an argument cannot be decoded in the replica: {type(exc).__name__}: {exc}"
        hint = "pass objects of classes that the remote module can import"
    error = EncodeError(message, hint)
    error.__cause__ = exc
    return error


def explain_unpicklable(value: object, root: str) -> tuple[str, str]:
    """Find the object inside a value that pickle refuses.

    Args:
        value: A value that cannot be pickled.
        root: What the value is called, as "argument 'options' of compare()".

    Returns:
        The path of the object, as "argument 'options' of compare(): options['callback']", and
        the reason, as "is a lambda".
    """
    from cord.runtime.travel.unpicklable import explain  # only for a failure

    return explain(value, root)
