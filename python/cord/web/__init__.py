"""HTTP in replicas: what a request means to a function by its type hints, and its result to HTTP."""
