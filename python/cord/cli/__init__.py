"""The command line: reads the arguments, reads the plan, and hands over to a tool."""
