"""Births of scouts, and of takes that receive late, from the program's frames."""
