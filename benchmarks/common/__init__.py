"""What programs and peers share; this folder is on their path."""
