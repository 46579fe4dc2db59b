"""`cord compare`: the program plain and under several plans, their times side by side."""
