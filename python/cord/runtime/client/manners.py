"""How the calls of one remote module are handled: from the plan to the native core."""

from __future__ import annotations

from cord import _core
from cord.plan.words import FRESH, LAYER, MAX_AT_ONCE, MAX_REPLICAS, watermark_of

TYPE_CHECKING = False  # typing is not imported on the way to a first call
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.model import FunctionPlan, RemotePlan
    from cord.plan.settings import Load, Migration, Rate

    # Which rate calls keep, whose they are where one may serve several, and how many that may be.
    _Gate = tuple[Rate | None, str, int, bool]


# So many calls are served by one at most, where the plan does not say how many.
GROUP = 64


class Manners:
    """The different ways in which functions of a module are called.

    Args:
        plan: What the plan says of the module.
        audit: Which percentage of its replicas' idle time calls may take that are made again;
            infinite where all calls are.
    """

    def __init__(self, plan: RemotePlan, audit: float = 0.0) -> None:
        self.plan = plan
        # where a replica keeps state, the program's end waits for what it does
        self._audit = audit if plan.is_pure and plan.threads == 1 else 0.0
        self._known: list[FunctionPlan] = []
        self._keeper: _core.Keeper | None = None
        for client in (None, *plan.clients):
            for function in ("", *self._known_by_name()):
                self._number(plan.function(function, client))

    def _known_by_name(self) -> list[str]:
        """The functions that the plan names."""
        return [*self.plan.functions, *(self.plan.only or ())]

    def number(self, name: str, client: str | None = None) -> int:
        """The number of the manner in which a function is called, by all or by one client."""
        return self._number(self.plan.function(name, client))

    def unhedged(self, name: str) -> int:
        """The number of the manner in which calls are made that must not be made twice at once."""
        return self._number(self.plan.function(name).but(hedge=None))

    def plain(self) -> int:
        """The number of the manner for what is asked of replicas besides: no rate is for that."""
        plan = self.plan.function("")
        plain = plan.but(deadline=None, rate=None, retries=None, retry_on=(), hedge=None)
        return self._number(plain.but(gather=None))

    def module(
        self,
        at_start: int,
        replicas: int | None = None,
        order: list[int] | None = None,
        *,
        is_far: bool = False,
    ) -> _core.Module:
        """The module, for a session.

        Args:
            at_start: How many replicas are made before there are calls for them.
            replicas: How many calls are served at once at most, if not as the plan says.
            order: The numbers of its manners, in the order in which calls refer to them, if not
                their own.
            is_far: Whether they live on nodes, of which more may join.
        """
        plan = self.plan
        moves = None if plan.migration is None else _migration(plan.migration)
        known = self._known if order is None else [self._known[at] for at in order]
        most = min(MAX_REPLICAS * plan.threads, MAX_AT_ONCE)
        gates = [gate for gate in map(self._gate, known) if gate is not None]
        gates = [gate for at, gate in enumerate(gates) if gate not in gates[:at]]
        rates = [rate for rate, *_ in gates if rate is not None]
        rates = [rate for at, rate in enumerate(rates) if rate not in rates[:at]]
        manners = [self._manner(one, gates) for one in known]
        return _core.Module(
            plan.module,
            plan.places if replicas is None else replicas,
            manners,
            moves,
            plan.resident_bytes,
            plan.transport,
            keeps_state=plan.keeps_state and plan.restart != FRESH,
            at_start=at_start,
            most=most if is_far and plan.per_core else None,
            threads=plan.threads,
            gates=[
                (None if rate is None else rates.index(rate), size, is_layered)
                for rate, _, size, is_layered in gates
            ],
            rates=[(rate.calls, rate.seconds) for rate in rates],
            again=self._audit / 100,
            recycle=None if plan.recycle is None else plan.recycle.calls,
        )

    def again(self, name: str) -> float:
        """Which part of idle time may go to making calls of a function again, to compare them.

        Not those that write, for it is seen how often they do; nor those of functions that wait for
        services, for these count calls.

        Args:
            name: The function's name in the plan.
        """
        settings = self.plan.function(name)
        may_be = settings.pure and settings.ahead
        may_be = may_be and not (settings.repeatable or settings.scratch)
        return self._audit / 100 if may_be and not settings.is_tended else 0.0

    def resident(self, name: str, original: Any) -> _core.ResidentArguments | None:
        """The arguments of a function that replicas keep.

        Args:
            name: The function's name in the plan.
            original: The function.
        """
        names = self.plan.function(name).resident
        if not names:
            return None
        from cord.runtime.client.residents import resident_arguments  # few plans have them

        if self._keeper is None:
            self._keeper = _core.Keeper(self.plan.resident_bytes)
        return resident_arguments(self._keeper, names, original)

    def uses(self, name: str, original: Any) -> tuple[_core.Use, dict[str, _core.Use]]:
        """How a function is called: by most, and by those modules that have their own way.

        Args:
            name: The function's name in the plan.
            original: The function.
        """
        by_client = {one: self._use(name, original, one) for one in self.plan.clients}
        return self._use(name, original, None), by_client

    def _use(self, name: str, original: Any, client: str | None) -> _core.Use:
        settings = self.plan.function(name, client)
        priority = None
        if settings.priority is not None:
            from cord.runtime.client.priority import Priority  # few plans have one

            priority = Priority.of(settings.priority, f"{self.plan.module}.{name}", original)
        number = self._number(settings)
        # a call that is ended, or made again, keeps no value; nor does one that is made with others
        forward = settings.forward and not settings.is_tended and not settings.keep
        # what travels with a call of the main script's functions changes with the program
        ahead = settings.ahead and not (settings.independent and self.plan.is_program)
        return _core.Use(
            ahead=ahead,
            independent=settings.independent,
            manner=number,
            forward=forward,
            given=self.plan.is_given_values and not settings.keep,
            inline=self.inlines(name, client),
            transport=self.plan.transport,
            priority=priority,
            guess=settings.guess,
        )

    def inlines(self, name: str, client: str | None = None) -> bool:
        """Whether who calls a function may make calls by itself, where that is faster.

        Args:
            name: The function's name in the plan.
            client: The module that calls it, where it has its own way.
        """
        settings = self.plan.function(name, client)
        is_plain = self.plan.speed is None and not settings.is_tended
        is_plain = is_plain and not settings.keep  # nobody would see what the call reads
        return settings.pure and settings.inline and is_plain

    def nested(self, name: str) -> int:
        """The manner in which replicas call a function: the first, but where it waits."""
        settings = self.plan.function(name)
        return self._number(settings) if settings.is_tended else 0

    def _gate(self, plan: FunctionPlan) -> _Gate | None:
        """What calls of a function go through before they may start."""
        if plan.is_layered:
            return plan.rate, plan.name, LAYER, True
        if plan.gather is None:
            return None if plan.rate is None else (plan.rate, "", 1, False)
        return plan.rate, plan.name, plan.batch.calls or GROUP, False

    def _manner(self, plan: FunctionPlan, gates: list[_Gate]) -> _core.Manner:
        shares = plan.loadratio
        if shares is None and self.plan.migration is not None:
            shares = self.plan.migration.start or (1,) * self.plan.replicas
        hedge = plan.hedge if plan.pure else None
        retries = plan.retries if plan.pure else None
        gate = self._gate(plan)
        return _core.Manner(
            watermark=watermark_of(plan.callstyle),
            batch_calls=plan.batch.calls,
            batch_bytes=plan.batch.size,
            shares=None if shares is None else list(shares),
            lookahead=(plan.lookahead.calls, plan.lookahead.bytes),
            is_tended=plan.is_tended,
            deadline=plan.deadline,
            retries=retries,
            hedge_part=None if hedge is None else hedge.part,
            hedge_after=None if hedge is None else hedge.after,
            gate=None if gate is None else gates.index(gate),
        )

    def _number(self, plan: FunctionPlan) -> int:
        if plan.name and plan.is_tended and plan.name not in self._known_by_name():
            plan = plan.but(name="")  # the functions that the plan does not name are alike
        for number, known in enumerate(self._known):
            if _key(known) == _key(plan):
                return number
        self._known.append(plan)
        return len(self._known) - 1


def _key(plan: FunctionPlan) -> tuple[object, ...]:
    watermark, batch, lookahead = watermark_of(plan.callstyle), plan.batch, plan.lookahead
    bounds = (lookahead.calls, lookahead.bytes)
    key = watermark, batch.calls, batch.size, bounds, plan.loadratio
    if not plan.is_tended:
        return key
    # how long calls take is known of each function for itself
    is_named = plan.hedge is not None or plan.gather is not None or plan.is_layered
    name = plan.name if is_named else ""
    tended = plan.deadline, plan.rate, plan.retries, plan.retry_on, plan.hedge, plan.gather
    return *key, plan.pure, name, *tended


def _migration(plan: Migration) -> _core.Migration:
    if plan.full:
        over, under = plan.overload, plan.underload
        return _core.Migration.full(
            None if over is None else _bounds(over),
            None if under is None else _bounds(under),
            plan.share,
        )
    return _core.Migration(
        [
            (link.sender, link.receiver, link.begins == "overload", _bounds(link.load), link.share)
            for link in plan.links
        ]
    )


def _bounds(load: Load) -> tuple[int, int | None]:
    return load.least, load.most
