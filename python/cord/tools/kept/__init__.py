"""`cord kept`: what is kept of calls, and why a call was made again."""
