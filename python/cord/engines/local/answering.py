"""Calls of one remote module in a replica, each from what comes to what goes back."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from cord import _core
from cord._core import ERROR, HTTP, LOAD, LONG_TO_DECODE, PICKLE, UNENCODABLE, VALUE
from cord.engines.local import looking
from cord.engines.local.forked import end_forked_child
from cord.engines.local.gathered import Gathering, read_calls
from cord.engines.local.retrying import Retrying
from cord.runtime.io.output import Capture
from cord.runtime.replica import mirror, passed
from cord.runtime.replica.leftovers import Apart
from cord.runtime.travel import codec, raised
from cord.runtime.travel.faithful import Mortal, reducers

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import partial
    from typing import Any, Final

    from cord.engines.local.batches import Batches
    from cord.engines.local.forked import Fork
    from cord.engines.local.gathered import Request
    from cord.engines.local.loading import RemoteModule
    from cord.engines.local.looking import Arguments, Shared
    from cord.engines.local.pacing import Instant, Pacing
    from cord.engines.local.twins import Follower, Seed
    from cord.plan.model import RemotePlan
    from cord.runtime.io.shares import Share
    from cord.runtime.replica.restoring import Noted
    from cord.runtime.travel.codec import Encoded
    from cord.runtime.travel.paths import Way
    from cord.runtime.travel.world import Surroundings
    from cord.web.requests import Requests, Route
else:
    from _functools import partial

# What a call is at, to tell whose fault an exception is.
DECODING: Final = 0
CALLING: Final = 1
ENCODING: Final = 2
# What a call has changed, of what it has left.
ARGUMENT: Final = "argument"


class Server:
    """Answers calls of one remote module.

    Args:
        plan: What the plan says of the module.
        endpoint: This end of the link.
        remote: The remote module; functions are looked up in it call by call.
        surroundings: The world of this process.
        capture: Recorder of what calls write.
        fork: Whether a call came back in a forked child.
        pacing: What makes its calls take longer; None where nothing does.
        seed: What makes copies of this process once the module is loaded, if any are wanted.
        may_end: Whether this process serves one program alone, in one thread, so that it may end
            before the program does.
    """

    def __init__(
        self,
        plan: RemotePlan,
        endpoint: _core.Endpoint,
        remote: RemoteModule,
        surroundings: Surroundings,
        capture: Capture | Share,
        fork: Fork,
        pacing: Pacing | None = None,
        seed: Seed | None = None,
        *,
        may_end: bool = True,
    ) -> None:
        self._endpoint = endpoint
        self._given = self._has_made = False
        self._gathering = Gathering(plan)
        self._batches: Batches | None = None
        if plan.is_layered:
            from cord.engines.local.batches import Batches  # for `cord batch` alone

            self._batches = Batches(plan)
        self._retrying = Retrying(plan)
        self._seed = seed
        self._follower: Follower | None = None
        self._remote = remote
        self._surroundings = surroundings
        self._capture = capture
        self._fork = fork
        self._pacing = pacing
        # nothing but calls that can be made again is lost with this process
        # the program has loaded it, too
        self._loads_again = plan.is_pure and not plan.is_served
        reducers.keeps_mortals = plan.is_pure  # what calls with effects give can be had only once
        self._may_end = plan.is_pure and isinstance(capture, Capture) and may_end
        self._here = b""
        self._web: Requests | None = None
        self._seen: _core.Seen | None = None
        self._judge = looking.judge_of(plan, capture)
        self._world_now = looking.WorldNow(surroundings, self._judge)
        self._leftovers = self._judge.leftovers
        self._outside = looking.lookout_of(plan, capture, leaves=self._may_end)
        self._serving = _core.Serving(
            endpoint,
            capture.quiet,
            capture.drain,
            self._finish,
            self._leftovers,
            self._disown,
            self._outside,
        )
        self._restored = None if plan.is_pure else looking.Restored(plan)
        self._serving.is_in_world(self._here)
        if self._restored is not None:
            self._serving.restores(self._restored)
        endpoint.tell_world_by(self._leftovers, self._world_now)

    def serve(self) -> None:
        """Answer calls, one after the other, until the client is gone."""
        answer, is_paced = self._answer, self._pacing is not None
        next_call, next_decoded_here = self._serving.next, self._endpoint.next
        while (
            request := next_decoded_here() if is_paced or self._follower else next_call()
        ) is not None:
            if request[0] == LOAD:
                self._load(request[1][1], request[2])
            else:
                self._has_made = True
                if self._gathering or self._batches is not None:
                    self._answer_all([request, *self._endpoint.alike()])
                else:
                    answer(*request)
            request = None  # nothing of this call may live on while the replica waits

    def has_made(self) -> bool:
        """Whether any call was made here."""
        return self._has_made or self._serving.has_made()

    def _answer_all(self, requests: list[Request]) -> None:
        """Answer calls by one, if that gives a result for each."""
        if self._batches is not None and self._answer_batch(self._batches, requests):
            return
        if len(requests) == 1:
            self._answer(*requests[0])
            return
        if self._follower is None:
            replies = self._gather(requests)
            if replies is not None:
                self._endpoint.share_time(len(requests))
                for reply in replies:
                    reply()
                return
            self._capture.discard()  # each call writes what it writes by itself
        for request in requests:
            self._endpoint.begin_alone(request[0])
            self._answer(*request)

    def _answer_batch(self, batches: Batches, requests: list[Request]) -> bool:
        """Answer calls by the user's function that sends them; False if there is none."""
        name, failed = None, None
        answered: list[tuple[Request, Any]] = []
        try:
            self._enter(requests[0][2])
            name = batches.name_of(requests[0])
            if name is None:
                return False
            module = self._remote.module or sys.modules[self._remote.name]
            answered = batches.send(self._endpoint, module, name, requests)
        except BaseException as exc:
            failed = exc
        self._endpoint.share_time(len(requests))
        self._capture.discard()  # the plain program does not print that
        for (call, arguments, _, _), value in answered:
            self._return(call, name or "", value, number=arguments[0])
        if failed is not None:
            for call, *_ in requests:
                self._fail(call, name or "", CALLING, failed)
        return True

    def _gather(self, requests: list[Request]) -> list[Callable[[], None]] | None:
        """Make one call of several; what replies to each, None if they are to be made singly."""
        try:
            self._enter(requests[0][2])
            if requests[0][1][0] == HTTP:
                return self._gather_http(requests)
            read = read_calls(requests)
        except Exception:
            return None  # each call says so
        if read is None:
            return None
        name, values = read
        return self._made_of(
            name,
            values,
            [
                partial(self._return, call, name, number=arguments[0])
                for call, arguments, _, _ in requests
            ],
        )

    def _gather_http(self, requests: list[Request]) -> list[Callable[[], None]] | None:
        web = self._requests()
        read = [web.argument(arguments[1], arguments[2]) for _, arguments, _, _ in requests]
        routes = [one[0] for one in read if one is not None]
        if len(routes) != len(read):
            return None
        return self._made_of(
            routes[0].spec.function,
            [one[1] for one in read if one is not None],
            [
                partial(self._return_http, call, route)
                for (call, *_), route in zip(requests, routes, strict=True)
            ],
        )

    def _made_of(
        self, name: str, values: list[Any], replies: list[Callable[[Any], None]]
    ) -> list[Callable[[], None]] | None:
        module = self._remote.module
        if module is None:
            return None
        many = self._gathering.function(module, name)
        if many is None:
            return None
        seen = self._leftovers.begin(f"gather:{name}", many, (values,), {})
        results = self._gathering.results(self._endpoint, many, values)
        left = self._leftovers.end(seen) if seen is not None else None
        if left is not None and left[0] != ARGUMENT:
            self._leftovers.spoil()
        if results is None or left is not None:
            return None  # each call is made by itself, and answered for what it leaves
        return [partial(reply, value) for reply, value in zip(replies, results, strict=True)]

    def answer_inner(
        self, call: int, arguments: Encoded, world: bytes, given: list[Encoded]
    ) -> None:
        """Answer a call that comes while another one waits for a remote function."""
        began, now = self._surroundings.content, self._world_now()
        written, here, mirrored = self._capture.suspend(), self._here, mirror.suspend()
        seen, self._seen = self._seen, None
        aside = self._leftovers.put_aside()
        try:
            self._answer(call, arguments, world, given)
        finally:
            self._seen = seen
            self._capture.resume(written)
            mirror.resume(mirrored)
            self._enter(here if now is None else now)
            self._surroundings.content = began
            self._leftovers.go_on(aside)

    def fail_inner(self, call: int, exc: BaseException) -> None:
        """Answer a call that `answer_inner` could not answer, for lack of frames perhaps."""
        if self._fork.happened:
            end_forked_child(exc)
        self._endpoint.reply(call, ERROR, _own(raised.encode_exception(exc)), b"")

    def _enter(self, world: bytes) -> None:
        if world is not self._here:
            self._surroundings.enter(world)
            self._here = world
            self._serving.is_in_world(world)

    def _load(self, order: bytes, world: bytes) -> None:
        head = b""
        seed, self._seed = self._seed, None
        try:
            self._enter(world)
            if seed is not None:
                seed.before()
            obey = partial(self._remote.obey, order, world)
            if self._loads_again:
                self._outside.load(self._endpoint, obey)
            else:
                obey()
        except BaseException as exc:
            if self._fork.happened:
                end_forked_child(exc)
            head = raised.encode_exception(exc)
        if self._fork.happened:
            os._exit(0)
        self._capture.discard()
        if self._remote.module is None:
            self._endpoint.init_failed(head)
        else:  # a failed reload leaves the module as far as it came, here as in the client
            self._serving.has_module(self._remote.module)
            self._endpoint.ready()
        if seed is not None:
            self._plant(seed, order, world, failed=bool(head))

    def _plant(self, seed: Seed, order: bytes, world: bytes, *, failed: bool) -> None:
        """Let this process be copied, if it may."""
        if failed or self._remote.is_bound:
            seed.give_up()
            return
        self._remote.loaded = (order, world)
        if self._remote.is_program:
            assert isinstance(self._capture, Capture)  # a share is no process's
            self._follower = seed.loaded_program(self._surroundings.enter, self._capture.renew)
        else:
            seed.loaded()
        self._remote.loaded = None  # for this one is no copy

    def _answer(self, call: int, arguments: Encoded, world: bytes, given: list[Encoded]) -> None:
        began = self._pacing.begin() if self._pacing is not None else None
        name, at, noted, values, self._given = "", DECODING, None, None, bool(given)
        try:
            if world is not self._here:
                self._enter(world)
            if arguments[0] == HTTP:
                at = CALLING
                self._answer_http(call, arguments, began)
                return
            if given:
                passed.give(given)
            loaded = len(sys.modules)
            name, args, kwargs = codec.decode(arguments)
            if len(sys.modules) != loaded or len(arguments[1]) >= LONG_TO_DECODE:
                self._endpoint.begin_anew()  # a call is as long as it is where nothing is sent
            if self._follower is not None:
                self._follower.decoded(world, is_call=bool(name))
                if name:
                    self._follower = None
            if given:
                passed.give([])
            if self._capture.journal:  # by a client module imported here, say: it has spoken there
                self._capture.discard()
            module = self._remote.module
            if module is None:  # what it does when it is imported has led to this call
                module = sys.modules[self._remote.name]
            function = _core.find_function(module, name) if name else passed.same
            values = ((), {}) if given else (args, kwargs)  # of what came before it has copies
            if not given and self._restored is not None and self._restored[name]:
                noted = looking.note(args, kwargs)
            at = CALLING
            if name:
                self._seen = self._leftovers.begin(name, function, args, kwargs)
            if self._seen is not None and self._seen.is_vain:
                self._reply(call, name, VALUE, (PICKLE, b"", []), began, may_be_passed=False)
                return
            value = self._outside.make(self._endpoint, call, name, function, args, kwargs)
        except BaseException as exc:
            self._fail(call, name, at, exc, began, noted=noted, arguments=values)
        else:
            self._return(call, name, value, arguments[0], began, noted, values)

    def _answer_http(self, call: int, arguments: Encoded, began: Instant | None) -> None:
        """Answer a request of HTTP; from the second on, native code does it.

        Raises:
            Again: It is to be answered once more.
        """
        answer = self._requests().answer
        if not self._gathering:  # what may be one of several is looked at here
            self._serving.answers_http(answer)
        made = self._endpoint.make(answer, (arguments[1], arguments[2]), {})
        self._reply(call, "", VALUE, (HTTP, *made), began, may_be_passed=False)

    def _return_http(self, call: int, route: Route, value: object) -> None:
        self._reply(call, "", VALUE, (HTTP, *route.frame(value)), None, may_be_passed=False)

    def _requests(self) -> Requests:
        if self._web is None:
            from cord.web.requests import Requests  # few replicas serve HTTP

            self._web = Requests(self._remote.name, self._retrying.pause)
        return self._web

    def _finish(
        self,
        call: int,
        name: str,
        value: object,
        raised: BaseException | None,
        arguments: Arguments | None,
    ) -> None:
        """Answer a call that native code has made: with its value, or with what it raised."""
        if raised is not None:
            self._fail(call, name, CALLING, raised, arguments=arguments)
        else:
            self._return(call, name, value, arguments=arguments)

    def _return(
        self,
        call: int,
        name: str,
        value: object,
        number: int = PICKLE,
        began: Instant | None = None,
        noted: Noted | None = None,
        arguments: Arguments | None = None,
    ) -> None:
        buffers: list[Any] = []
        try:
            if noted is not None:
                home = noted.home(value)
            elif arguments and (parts := self._shared(name, value, arguments)) is not None:
                if self._has_left(call):
                    return  # before it is encoded: that may make classes travel otherwise
                home = looking.home_of(value, parts, arguments, self._judge.places_of(name))
            else:
                home = None
            if home is not None:
                self._reply(call, name, VALUE, (PICKLE, *home), began, may_be_passed=False)
                return
            head, may_be_passed = codec.of(number).encode(value, buffers)
        except Apart:
            if self._judge.is_pure(name):
                self._disown(call, (ARGUMENT, "returns what is a part of something else"))
            else:  # as a copy
                self._return(call, name, value, number, began)
        except BaseException as exc:
            self._fail(call, name, ENCODING, exc, began, value)
        else:
            self._reply(call, name, VALUE, (number, head, buffers), began, may_be_passed)

    def _shared(self, name: str, value: object, arguments: Arguments) -> Shared | None:
        return looking.shared(value, arguments, self._judge.watched_if_pure(name))

    def _has_left(self, call: int) -> bool:
        """Whether a call has left something behind: then it is answered."""
        seen, self._seen = self._seen, None
        what = self._leftovers.end(seen) if seen is not None else None
        if what is not None:
            self._disown(call, what)
        return what is not None

    def _fail(
        self,
        call: int,
        name: str,
        at: int,
        exc: BaseException,
        began: Instant | None = None,
        value: object = None,
        noted: Noted | None = None,
        arguments: Arguments | None = None,
    ) -> None:
        if self._fork.happened:
            end_forked_child(exc)
        if isinstance(exc, _core.Stopped):
            kind, text = exc.args
            self.disown(call, kind, text, dirty=True)
            return
        if at == ENCODING and self._judge.is_pure(name) and isinstance(exc, Mortal):
            self.disown(call, ARGUMENT, "returns what has a __del__", dirty=True)
            return
        if at == CALLING and name and self._judge.is_pure(name) and looking.may_lack_something(exc):
            if not self._has_left(call):
                self.disown(call, "alone", f"raises {type(exc).__name__}", dirty=False)
            return
        if self._web is not None and (again := self._web.again(exc)) is not None:
            answer = (HTTP, *again.frame)
            self._reply(call, name, VALUE, answer, began, may_be_passed=False, pause=again.pause)
            return
        ways = looking.ways_in(exc, arguments) if at == CALLING else None
        kind, head = _failure(exc, at, name.rpartition(":")[2], value, ways)
        if noted is not None and at == CALLING:
            with suppress(Exception):  # the exception itself is what matters
                head = noted.before_reply(head)
        pause = self._retrying.pause(name, exc) if at == CALLING else None
        self._reply(call, name, kind, _own(head), began, may_be_passed=False, pause=pause)

    def disown(self, call: int, kind: str, text: str, *, dirty: bool) -> None:
        """Say that what came of a call must not be used: who calls makes it by himself.

        Args:
            call: The call; of a pure function.
            kind: Of what kind the reason is: "argument", "state", "file", ...
            text: What the call does, as a sentence about its function goes on.
            dirty: Whether it has left something here that is not for other calls: then this process
                ends, if nothing else depends on it, and another one takes its place.
        """
        if self._fork.happened:
            os._exit(0)
        self._capture.disown()  # the program writes it
        self._endpoint.disown(call, kind, text, dirty and self._may_end)

    def _reply(
        self,
        call: int,
        name: str,
        kind: int,
        value: Encoded,
        began: Instant | None,
        may_be_passed: bool,
        pause: float | None = None,
    ) -> None:
        if mirror.is_lent():
            may_be_passed = False  # what is of the client's script comes back to it
            kind, value = _with_changes(kind, value, name)
        if self._fork.happened:
            os._exit(0)
        if self._has_left(call):
            return
        if self._leftovers.goes_home() and value[0] == PICKLE:
            may_be_passed = False
            value = (PICKLE, self._judge.before_reply(value[1]), value[2])
        output = self._drain()
        view = self._outside.view()
        if view is not None and looking.shows(view, value, output):
            self.disown(call, "scratch", "tells where its folder is", dirty=False)
            return
        if self._pacing is not None and began is not None:
            self._pacing.rest(began)
        self._endpoint.reply(call, kind, value, output, may_be_passed, pause)

    def _disown(self, call: int, what: tuple[str, str]) -> None:
        """A call has left something behind: the program makes it.

        Args:
            call: Which call.
            what: Of what kind that is, and in words.
        """
        kind, text = what
        is_dirty = kind != ARGUMENT or bool(self._given)
        if is_dirty:
            self._leftovers.spoil()  # if this process goes on
        self.disown(call, kind, text, dirty=is_dirty)

    def _drain(self) -> bytes:
        try:
            return self._capture.drain()
        except OSError:
            self.leave_if_cut_off()
            raise

    def leave_if_cut_off(self) -> None:
        """End this process if a function has closed the descriptor that leads to the client."""
        if self._endpoint.is_cut_off():
            os._exit(_core.EXIT_CUT_OFF)


def _own(head: bytes) -> Encoded:
    """What is encoded as Cord's own data always is, whatever the codec of the call."""
    return PICKLE, head, []


def _with_changes(kind: int, value: Encoded, name: str) -> tuple[int, Encoded]:
    number, head, buffers = value
    try:
        return kind, (number, mirror.take_home(head), buffers)
    except Exception as exc:
        error = codec.value_error(exc, None, f"what {name}() has changed in the main script", "")
        return UNENCODABLE, _own(raised.encode_exception(error))


def _failure(
    exc: BaseException,
    at: int,
    name: str,
    value: object,
    ways: dict[int, Way] | None,
) -> tuple[int, bytes]:
    if at == CALLING or isinstance(exc, MemoryError):
        return ERROR, raised.encode_exception(exc, ways=ways)
    if at == ENCODING:
        return UNENCODABLE, raised.encode_exception(codec.result_error(exc, value, name))
    # who calls makes the call if it is pure: what it gives can be decoded there, and only there
    kind = ERROR if name else UNENCODABLE
    return kind, raised.encode_exception(codec.decoding_error(exc, name))
