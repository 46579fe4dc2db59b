"""The private native module: types for what Python uses of it."""

import sys
from typing import Any, Literal, Self, TypeAlias, final

# An entry of parsed TOML: kind, value, line, column, key_line, key_column. A table's value is a
# dict of entries, an array's a list of them.
_RawEntry: TypeAlias = tuple[str, Any, int, int, int, int]

def parse_document(text: str) -> dict[str, _RawEntry]: ...

# What came of a call: ("reply", kind, head, buffers, output), ("lost", replica pid, wait status or
# None, tries, may have run), ("unavailable", head) or ("closed",).
_Outcome: TypeAlias = (
    tuple[Literal["reply"], int, bytes, list[Any], bytes]
    | tuple[Literal["lost"], int, int | None, int, bool]
    | tuple[Literal["unavailable"], bytes]
    | tuple[Literal["closed"]]
)

@final
class SharedBuffer:
    """Received bytes in memory that is writable and private to this process.

    Use it by the buffer protocol, which Python shows in types from 3.12 on only.
    """

    def __len__(self) -> int: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Ticket:
    """A call issued and not yet taken. Letting the last one of a pure call go drops the call."""

    def is_settled(self) -> bool: ...
    def wait(self, timeout: float = ...) -> bool: ...
    def take(self) -> _Outcome | None: ...
    def demand(self) -> None: ...
    def drop_call(self) -> None: ...

@final
class Session:
    """The replicas of a run: (module name, number of replicas) each. Takes the control socket over.

    Raises:
        ValueError: The descriptor is not open.
        OSError: The system has no descriptors or threads left.
    """

    def __new__(cls, modules: list[tuple[str, int]], control_fd: int) -> Self: ...
    def issue(
        self, module: int, pure_call: bool, head: bytes, buffers: list[Any]
    ) -> Ticket: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...

@final
class Endpoint:
    """A replica's end of its link. Takes the stream socket over."""

    def __new__(cls, fd: int) -> Self: ...
    def ready(self) -> None: ...
    def init_failed(self, head: bytes) -> None: ...
    def next(self) -> tuple[int, bytes, list[Any]] | None: ...
    def reply(
        self, call: int, kind: int, head: bytes, buffers: list[Any], output: bytes
    ) -> None: ...

def set_parent_death_signal(signal: int) -> None: ...
def set_process_name(name: str) -> None: ...
def output_ends(
    out: int, seen_out: int, err: int, seen_err: int
) -> tuple[int, int, int, int] | None: ...
def line_buffer_c_stdout() -> None: ...
def write_c_stream(stream: int, text: bytes) -> None: ...
