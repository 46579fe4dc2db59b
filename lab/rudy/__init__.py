"""A web server with a pool: Sigurdsson."""
