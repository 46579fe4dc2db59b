"""Measures the examples, draws a picture of each, and writes both where they are told of."""
