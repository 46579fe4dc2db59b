"""What a valid plan says of where replicas live."""

from __future__ import annotations

from cord.fixed import Value, field


class EnginePlan(Value):
    """Where replicas live.

    Attributes:
        kind: "local" for this machine, or what starts agents on others: "ssh", "command", "mpi",
            "slurm", "hq", "ray", "dask" or "kubernetes"; "standing" where there are some.
        hosts: The machines that ssh leads to, as it knows them, or the addresses of agents.
        keys: The file with the key of clients, where agents stand.
        name: The name under which those serve.
        launch: The command that starts agents.
        address: Where the scheduler of Ray or Dask is found; None where they find it, or start one,
            or where an agent that stands is not looked for by its name.
        nodes: How many agents it starts.
        cores: How many cores each of them has of Ray, or of workers that are started for it.
        image: The container image of the pods that Kubernetes makes for them.
        resources: What else each of them has of Ray or Kubernetes, by name.
        python: The interpreter on the nodes; None for this one's path.
        listen: The address at which agents are waited for; None for one that they can reach, as
            far as can be found out.
        cpu: "same" where nodes must have the features of this machine's processor, "baseline"
            where all use those of one level, else "any".
        code: "shared" where nodes see the program's files, "send" where they are sent them.
        files: What is sent besides modules: patterns of files under the program's folder.
        reconnect: How many seconds a node whose link is cut may take to come back.
        wait: How many seconds agents may take to join.
    """

    kind: str = "local"
    hosts: tuple[str, ...] = ()
    keys: str | None = None
    name: str | None = None
    launch: str | None = None
    address: str | None = None
    nodes: int = 1
    cores: int = 1
    image: str | None = None
    resources: dict[str, float] = field(default_factory=dict)
    python: str | None = None
    listen: str | None = None
    cpu: str = "same"
    code: str = "shared"
    files: tuple[str, ...] = ()
    reconnect: float = 10.0
    wait: float = 60.0

    @property
    def is_local(self) -> bool:
        """Whether replicas are processes of this machine."""
        return self.kind == "local"

    @property
    def known_cores(self) -> int | None:
        """How many cores its agents have, together; None where only they can tell."""
        starts = self.kind == "dask" and self.address in (None, "local")
        counts = self.kind in ("ray", "kubernetes") or starts
        return self.nodes * self.cores if counts else None

    @property
    def agents(self) -> int:
        """How many agents there are to be."""
        return len(self.hosts) or self.nodes

    def with_one_agent(self, host: str) -> EnginePlan:
        """The same for one agent only, on this host where the plan names hosts."""
        return self.but(nodes=1, hosts=(host,) if self.hosts else ())
