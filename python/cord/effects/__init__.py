"""What functions do besides computing a value, read from source text alone.

Nothing is imported or run. The files, in the order of their work: `world` (modules, functions and
classes, and what names mean), `table` and `methods` (what is known of libraries), `frame`,
`expressions`, `calls` and `flow` (one function, statement by statement), `analysis` (all functions,
to a fixed point), `findings` (what is said of the remote ones).
"""
