"""What a scout knows where, which calls it can make, and what these need."""
