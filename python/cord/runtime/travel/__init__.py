"""How values, exceptions and definitions travel between client and replicas."""
