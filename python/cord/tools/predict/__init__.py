"""`cord predict TRACE`: how long a run would take with other replicas, or another plan."""
