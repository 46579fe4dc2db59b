"""`cord verify`: the program plain and under Cord, and the rule that a difference breaks."""
