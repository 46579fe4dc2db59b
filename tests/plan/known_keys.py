"""The keys that messages list, word for word."""

OF_A_MODULE = (
    "batch, blas_threads, callstyle, deadline, forward, functions, guess, hedge, independent, "
    "inline, inside, keep, loadratio, lookahead, memory, migration, only, overload, priority, "
    "pure, rate, recycle, repeatable, replicas, resident, resident_bytes, restart, retries, "
    "retry_on, scratch, share, silence, speed, threads, topology, transport, ttl "
    "and underload"
)
