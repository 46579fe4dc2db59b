"""`cord tune`: which settings of a plan make a program fastest, found out by running it."""
