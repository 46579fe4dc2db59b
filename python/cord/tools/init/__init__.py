"""`cord init`: from a run of the program to the plan that pays, or to why there is none."""
