//! Lines to the user, of what goes wrong and nobody else can be told of.

/// One line to the user. Standard error may be closed; then nobody can be told.
pub fn complain(line: &str) {
    #[cfg(not(any(test, feature = "testing")))]
    {
        use std::io::{self, Write};
        let _ = writeln!(io::stderr(), "cord: {line}");
    }
    #[cfg(any(test, feature = "testing"))]
    tests::hear(line);
}

#[cfg(any(test, feature = "testing"))]
pub mod tests {
    use std::sync::{Mutex, PoisonError};

    /// What was complained of in this process, by any test.
    static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());

    /// Takes a complaint in place of the user; it is shown if the test fails.
    pub fn hear(line: &str) {
        eprintln!("cord: {line}");
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(line.to_owned());
    }

    /// Whether somebody complained in these words.
    pub fn was_heard(words: &str) -> bool {
        let heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        heard.iter().any(|line| line.contains(words))
    }
}
