"""For `cord explain`: how far ahead scouts come, and why not further."""
