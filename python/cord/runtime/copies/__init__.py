"""What stands for values in copies of the program."""
