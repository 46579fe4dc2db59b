"""HTTP in replicas: what a request means to a function, and its result to HTTP."""
