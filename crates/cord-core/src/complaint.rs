//! What goes wrong and nobody else can be told of.

use std::io::{self, Write};

/// One line to the user. Standard error may be closed; then nobody can be told.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "cord: {line}");
}
