"""CORD's own module notation, read and written as cord.toml: `python -m lab.notation`.

Each file is one step, from text to text: `source` (the file), `grammar` (what lark reads of it),
`split` (into modules and statements), `read` (into plain data), `bindings` (what calls what),
`equal` (the tables of cord.toml), `write` (their text). What attributes hold is read by `values`,
`replication` and `priority`. Nothing that is wrong ends the reading: it is noted in `findings`, and
stays in the output as a comment.
"""
