//! Policy tried out with simulated replicas.
