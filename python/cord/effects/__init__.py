"""What functions do besides computing a value, read from source text alone.

Nothing is imported or run. The files, in the order of their work: `world` (functions, classes,
and what names mean, as values), `libraries` (what is known of libraries), `frame`, `expressions`,
`calls` and `flow` (one function, statement by statement), `analysis` (all functions, to a fixed
point), `findings` (what is said of the remote ones). `README.md` has the table.
"""
