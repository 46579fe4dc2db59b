"""RPC, RMI, MPI and PVM: Qureshi and Rashid."""
