"""Translation of client modules: remote calls become takes, and scouts are made for them.

`project` finds out which calls are remote, `rewrite` changes the program, and, only when a scout
is really wanted, `lower` → `resume` → `paths` → `needed` → `emit` make it.
`README.md` beside this file has the table of all stages.
"""
