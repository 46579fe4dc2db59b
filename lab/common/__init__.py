"""What all papers share: what is there, building, networks, machines, tables and figures."""
