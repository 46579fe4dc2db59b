"""What guards ask: which operations run no code of the program's."""
