"""Matrices by sockets and CORBA: Schnaidt et al."""
