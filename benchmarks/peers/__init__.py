"""The systems that Cord is measured beside, each used as its own manual recommends.

One module for each; what it shows to the jobs is a `Peer`.
"""
