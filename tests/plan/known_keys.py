"""The keys that messages list, word for word."""

OF_A_MODULE = (
    "batch, blas_threads, callstyle, forward, functions, independent, inline, inside, loadratio, "
    "lookahead, migration, only, overload, priority, pure, replicas, resident, resident_bytes, "
    "restart, share, speed, threads, topology, transport and underload"
)
