"""What runs during a program: encoding, output, sessions."""
