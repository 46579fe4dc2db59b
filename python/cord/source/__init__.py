"""The text of a Python project, read once: modules, names, scopes, functions and classes.

Nothing is imported or run. What is made of it stands elsewhere: `translate` makes takes and scouts,
`effects` tells what functions do besides computing a value.
"""
