"""What is known of builtins and of libraries: one row for each function, method or type.

Plain data and rules, asked by name: what a function does, what it gives, what it changes, what it
takes items from, and whether scouts run it. Rules stand before rows: see `functions` and `methods`.
"""
