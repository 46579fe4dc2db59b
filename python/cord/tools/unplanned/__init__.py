"""A run without a plan: which functions are worth being remote is found out as the program runs."""
