"""What is told of a run that has ended: its calls in numbers, and what to change."""
