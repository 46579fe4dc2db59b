"""What is told of the program's own things without running its code: classes, iterators, frames."""
