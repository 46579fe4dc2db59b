"""What a valid plan says, as plain objects."""

from __future__ import annotations

from cord._core import RESIDENT_BYTES
from cord.fixed import Value, field
from cord.plan.engine_plan import EnginePlan
from cord.plan.settings import Batch, Hedge, Lookahead, Migration, Rate, Recycle
from cord.plan.words import FRESH, KEPT_BYTES, KEPT_FOLDER, LAYER, MAX_REPLICAS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cord.plan.http_plan import HttpPlan


class Settings(Value, kw_only=True):
    """How calls are made: of one remote function, or of those of a module without their own.

    Attributes:
        callstyle: "sync", "async" or "async-demand(n)".
        pure: Whether calls may be started early, repeated, or run in vain.
        repeatable: Whether they may though they write, but only what is their own; such a
            function is `pure`, too.
        scratch: Whether each call has a view of its own of the working folder, so that it may be
            started early, repeated, or run in vain though it writes there; such a function is
            `pure`, too.
        independent: Whether calls have effects and do not depend on one another: they may be
            started early where the program is certain to make them.
        batch: How many calls go into one frame.
        lookahead: How much may be out ahead of the program.
        priority: The expression that tells which call goes first; None where all are alike.
        loadratio: A share for each replica, by which calls are assigned; None for demand.
        resident: The parameters whose arguments replicas keep, or "auto".
        forward: Whether a result that is only passed on goes from replica to replica.
        inline: Whether pure calls that take less time than sending them are made in the program.
        deadline: How many seconds a call may take; None for any.
        rate: How fast calls start at most; None for any.
        retries: How often a pure call is repeated; None for the usual.
        retry_on: The exceptions after which it is, by their names.
        hedge: When a pure call is made a second time while it runs; None for never.
        guess: The function that gives, in copies of the program, what stands in for values, as
            `module.function`; None for none.
        keep: What is kept of its calls for later runs: "values", "all", or empty for nothing.
        ttl: For how many seconds; None for ever.
    """

    callstyle: str = "sync"
    pure: bool = False
    repeatable: bool = False
    scratch: bool = False
    independent: bool = False
    batch: Batch = Batch()
    lookahead: Lookahead = Lookahead()
    priority: str | None = None
    loadratio: tuple[int, ...] | None = None
    resident: tuple[str, ...] | str = ()
    forward: bool = True
    inline: bool = True
    deadline: float | None = None
    rate: Rate | None = None
    retries: int | None = None
    retry_on: tuple[str, ...] = ()
    hedge: Hedge | None = None
    guess: str | None = None
    keep: str = ""
    ttl: float | None = None


class FunctionPlan(Settings):
    """How one remote function is called.

    Attributes:
        name: The function's name in its module.
        gather: The function that serves several calls of this one by one call; None for none.
        submit: The function that sends many calls of this one as a batch; None for none.
        is_layered: Whether calls wait until no more come, and `submit` is given all of them.
    """

    name: str
    gather: str | None = None
    submit: str | None = None
    is_layered: bool = False

    @property
    def is_tended(self) -> bool:
        """Whether the dispatcher is to take care of its calls as of those that wait."""
        wanted = (self.deadline, self.rate, self.retries, self.hedge, self.gather)
        is_any = bool(self.retry_on) or any(one is not None for one in wanted)
        return is_any or self.is_layered

    @property
    def effects(self) -> str:
        """What calls do besides giving a value: "pure", "independent" or "stateful"."""
        if self.pure:
            return "pure"
        return "independent" if self.independent else "stateful"

    @property
    def ahead(self) -> bool:
        """Whether calls start ahead of the program."""
        return (self.pure or self.independent) and self.callstyle != "sync"

    def layered(self) -> FunctionPlan:
        """The same where calls wait until no more come, and `submit` is given all of them.

        A batch may take hours, and is sent once: what takes care of single calls is left to it.
        """
        return self.but(
            is_layered=True,
            batch=Batch(calls=LAYER),
            lookahead=Lookahead(LAYER, self.lookahead.bytes),
            gather=None,
            hedge=None,
            deadline=None,
            retries=0,
            retry_on=(),
        )


class RemotePlan(Settings):
    """How one remote module is served and called.

    Attributes:
        module: The module's dotted name.
        replicas: How many processes serve it; 0 as long as it is one for each core, and these are
            not counted.
        per_core: Whether it is one for each core of the engine.
        threads: How many calls each process serves at once, in threads of its own.
        only: The functions that are remote; None for every public one.
        inside: Whether they are remote for the module's own code too, as far as that runs in the
            program.
        functions: The functions with settings of their own, resolved.
        clients: The settings that modules of the program have for themselves, by name of the
            module (`__main__` for the main script) and key.
        blas_threads: How many threads the numerical libraries of a replica use: a number, "auto"
            for its share of the cores, "all" for as many as they like.
        is_program: Whether this is the main script itself.
        names: The names of the replicas; none where they go by number.
        migration: How replicas pass queued calls to one another, if they do.
        transport: What carries calls and replies: "auto", "shm", "unix" or "tcp".
        speed: How fast each replica is made to be, for experiments; None for as fast as it is.
        resident_bytes: How many bytes of resident arguments each replica keeps.
        memory: How many bytes of memory a replica may have; None for any number.
        recycle: When another replica takes the place of one; None for never.
        silence: For how many seconds a signal may stop a replica before it is replaced; 0 for any
            time.
        restart: "fresh" if calls go on in a fresh replica when what others left in the last one is
            lost, else "never".
        is_one_of_many: Whether only a pattern names it: the program may well make no calls of it.
        homes: Of remote functions that it offers and others define, module and name there.
        is_served: Whether requests of HTTP are answered with it.
    """

    module: str
    replicas: int = 1
    threads: int = 1
    per_core: bool = False
    only: tuple[str, ...] | None = None
    functions: dict[str, FunctionPlan] = field(default_factory=dict)
    blas_threads: int | str = "auto"
    is_program: bool = False
    inside: bool = False
    clients: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    migration: Migration | None = None
    speed: tuple[float, ...] | None = None
    transport: str = "auto"
    resident_bytes: int = RESIDENT_BYTES
    restart: str = "never"
    recycle: Recycle | None = None
    memory: int | None = None
    silence: float = 10.0
    is_one_of_many: bool = False
    homes: dict[str, tuple[str, str]] = field(default_factory=dict)
    is_served: bool = False

    @property
    def methods(self) -> list[str]:
        """The methods that are remote, as `Class.name`."""
        return [name for name in self.only or () if "." in name]

    @property
    def is_layered(self) -> bool:
        """Whether calls of a function wait until no more come."""
        return any(own.is_layered for own in self.functions.values())

    def layered(self) -> RemotePlan:
        """The same for `cord batch`: where there is a `submit`, calls go together in layers."""
        functions = {
            name: own.layered() if own.submit is not None else own
            for name, own in self.functions.items()
        }
        return self.but(functions=functions)

    def served(self) -> RemotePlan:
        """The same for `cord serve`, which goes on in a fresh replica whatever is lost with one."""
        return self.but(restart=FRESH, is_served=True)

    def keeping_nothing(self) -> RemotePlan:
        """The same where no outcome is kept, and none is taken from earlier runs."""
        functions = {name: one.but(keep="") for name, one in self.functions.items()}
        clients = {
            client: {key: value for key, value in own.items() if key != "keep"}
            for client, own in self.clients.items()
        }
        return self.but(keep="", functions=functions, clients=clients)

    def on_cores(self, cores: int) -> RemotePlan:
        """The same where its engine has so many cores."""
        return self.but(replicas=min(cores, MAX_REPLICAS)) if self.per_core else self

    @property
    def places(self) -> int:
        """How many calls may be served at once; 0 as long as that is not known."""
        return self.replicas * self.threads

    @property
    def keeps_state(self) -> bool:
        """Whether a call may depend on what another one has left in the replica."""
        if self.only is not None:
            functions = [self.function(name) for name in self.only]
        else:
            functions = [self.usual(""), *self.functions.values()]
        return any(one.effects == "stateful" for one in functions)

    @property
    def is_pure(self) -> bool:
        """Whether all functions that may be remote are pure."""
        if self.only is not None:
            return all(self.function(name).pure for name in self.only)
        return self.pure and all(own.pure for own in self.functions.values())

    def function(self, name: str, client: str | None = None) -> FunctionPlan:
        """The settings of the public function `name`.

        Args:
            name: The function. Its own settings go before the module's.
            client: The module of the program that calls it, whose settings go before both.
        """
        plan = self.functions.get(name)
        if plan is None:
            plan = self.usual(name)
        own = self.clients.get(client) if client is not None else None
        if own:
            plan = plan.but(**own)
        return plan if self.hands_over else plan.but(forward=False)

    @property
    def hands_over(self) -> bool:
        """Whether its replicas can be given links to one another."""
        return self.transport != "tcp"

    @property
    def is_given_values(self) -> bool:
        """Whether its calls can be given values that the program does not see.

        Not where priorities are told from arguments, nor where no link leads to other replicas.
        """
        settings = [self.priority, *(own.priority for own in self.functions.values())]
        settings += [own.get("priority") for own in self.clients.values()]
        return self.hands_over and all(one is None for one in settings)

    @property
    def keeps_any(self) -> bool:
        """Whether outcomes of any of its functions are kept."""
        return bool(self.keep) or any(own.keep for own in self.functions.values())

    def stretch(self, number: int) -> float:
        """By how much the service time of a replica is stretched: 0 for one at full speed.

        That is the speed 1, or the largest speed if it is above 1.

        Args:
            number: The replica's, from 0.
        """
        if self.speed is None:
            return 0.0
        return max(1.0, *self.speed) / self.speed[number] - 1

    def usual(self, name: str) -> FunctionPlan:
        """The module's settings, for its function `name`."""
        return FunctionPlan(name, **{key: getattr(self, key) for key in Settings.fields})


class Plan(Value):
    """A whole valid cord.toml.

    Attributes:
        path: The file it was read from, as messages show it.
        remote: The remote modules by dotted name, in the file's order.
        assume_pure: Dotted names that the user declares free of effects.
        copies: Whether copies of the program run ahead of it.
        speculate: What copies may issue: `"exact"`, only calls that the program will make given the
            replies so far; `"likely"`, also what follows from guesses; `"off"`, nothing.
        audit: How much of the time in which replicas are idle goes to making pure calls again and
            comparing what they give, in percent; infinite for all calls.
        engine: Where replicas live.
        stats: Whether each run tells of its calls in a table when it has ended.
        warn: Whether a run says in a line what was wrong with it.
        http: Which functions answer requests of HTTP; None for none.
        auto: Whether a run looks for functions by itself if no module is remote; None if the plan
            does not say that.
        kept: The folder in which is what is kept of calls, and how many bytes it may have.
        pools: Whether pools of processes that the program has are fed by Cord.
    """

    path: str
    remote: dict[str, RemotePlan]
    assume_pure: frozenset[str]
    copies: bool = True
    speculate: str = "likely"
    engine: EnginePlan = EnginePlan()
    stats: bool = False
    warn: bool = True
    http: HttpPlan | None = None
    audit: float = 1.0
    auto: bool | None = None
    kept: tuple[str, int] = (KEPT_FOLDER, KEPT_BYTES)
    pools: bool = False

    def on_cores(self, cores: int) -> Plan:
        """The same where its engine has so many cores."""
        return self.but(remote={name: one.on_cores(cores) for name, one in self.remote.items()})

    @property
    def replicas(self) -> int | None:
        """How many processes serve, all remote modules together; None where that is not known."""
        counts = [remote.replicas for remote in self.remote.values()]
        return sum(counts) if all(counts) else None

    @property
    def places(self) -> int | None:
        """How many calls may be served at once; None where that is not known."""
        counts = [remote.places for remote in self.remote.values()]
        return sum(counts) if all(counts) else None
