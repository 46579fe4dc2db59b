"""`cord replay`: calls that runs have recorded, made again."""
