//! The lines at the foot of a terminal: which bytes put them there, change them and take them away.
//!
//! The terminal scrolls what stands above them only (its scrolling region ends there, DECSTBM). So
//! whoever writes, the program, C code or another process, writes above them as ever, and Cord need not
//! know of it. Each picture is one write, which saves the cursor and puts it back.

use std::fmt::Write;

/// So many lines there are.
pub const LINES: u16 = 2;
/// On a smaller terminal there are none.
const FEWEST_ROWS: u16 = 8;
const FEWEST_COLUMNS: u16 = 30;

/// How large a terminal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: u16,
    pub columns: u16,
}

impl Size {
    /// Whether there is room for the lines, and for what the program writes.
    pub fn has_room(self) -> bool {
        self.rows >= FEWEST_ROWS && self.columns >= FEWEST_COLUMNS
    }
}

/// What Cord has done to a terminal.
#[derive(Debug, Default)]
pub struct Screen {
    /// The lines are there, on a terminal of this size.
    drawn: Option<Size>,
}

impl Screen {
    /// Shows the lines.
    pub fn draw(&mut self, size: Size, lines: &[String]) -> String {
        let mut bytes = match self.drawn {
            Some(drawn) if drawn == size => String::new(),
            Some(_) => make_room(size, true),
            None => make_room(size, false),
        };
        self.drawn = Some(size);
        let top = size.rows - LINES;
        // whatever the program's text looks like, these lines look plain
        let _ = write!(bytes, "\x1b7\x1b[1;{top}r\x1b[m");
        let width = usize::from(size.columns) - 1;
        for (row, line) in (top + 1..=size.rows).zip(lines) {
            let shown: String = line.chars().take(width).collect();
            let _ = write!(bytes, "\x1b[{row};1H\x1b[K{shown}");
        }
        bytes.push_str("\x1b8");
        bytes
    }

    /// Somebody else has the terminal: what stands there is not to be relied on.
    pub fn forget(&mut self) {
        self.drawn = None;
    }

    /// What takes the lines away again, if they are there.
    pub fn leave(&mut self) -> Option<String> {
        self.drawn.take().map(leaving)
    }
}

/// Makes room for the lines: what stands in their place moves up, and the cursor with it. Where the
/// size was another one, the lines stand somewhere below the cursor.
fn make_room(size: Size, is_anew: bool) -> String {
    let mut bytes = String::from("\x1b7\x1b[r\x1b8");
    if is_anew {
        bytes.push_str("\x1b[J");
    }
    for _ in 0..LINES {
        bytes.push_str("\x1bD"); // as a line feed, but in the same column
    }
    let _ = write!(
        bytes,
        "\x1b[{LINES}A\x1b7\x1b[1;{}r\x1b8",
        size.rows - LINES
    );
    bytes
}

/// What takes the lines away from a terminal.
pub fn leaving(size: Size) -> String {
    let mut bytes = String::from("\x1b7\x1b[r");
    for row in size.rows - LINES + 1..=size.rows {
        let _ = write!(bytes, "\x1b[{row};1H\x1b[2K");
    }
    bytes.push_str("\x1b8");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        rows: 24,
        columns: 40,
    };

    fn lines() -> [String; 2] {
        ["first".to_owned(), "second".to_owned()]
    }

    #[test]
    fn room_is_made_once() {
        let mut screen = Screen::default();
        let first = screen.draw(SIZE, &lines());
        assert!(first.starts_with("\x1b7\x1b[r\x1b8\x1bD\x1bD\x1b[2A\x1b7\x1b[1;22r\x1b8"));
        assert!(first.ends_with("\x1b[23;1H\x1b[Kfirst\x1b[24;1H\x1b[Ksecond\x1b8"));
        let next = screen.draw(SIZE, &lines());
        assert!(next.starts_with("\x1b7\x1b[1;22r\x1b[m\x1b[23;1H"));
    }

    #[test]
    fn another_size_is_another_place() {
        let mut screen = Screen::default();
        screen.draw(SIZE, &lines());
        let smaller = Size { rows: 10, ..SIZE };
        let anew = screen.draw(smaller, &lines());
        assert!(anew.starts_with("\x1b7\x1b[r\x1b8\x1b[J\x1bD"));
        assert!(anew.contains("\x1b[9;1H\x1b[Kfirst"));
    }

    #[test]
    fn a_line_is_as_long_as_the_terminal_is_wide() {
        let mut screen = Screen::default();
        let long = ["x".repeat(100), "\u{e9}".repeat(100)];
        let drawn = screen.draw(SIZE, &long);
        assert_eq!(drawn.matches('x').count(), 39);
        assert_eq!(drawn.matches('\u{e9}').count(), 39);
    }

    #[test]
    fn what_was_drawn_is_taken_away_once() {
        let mut screen = Screen::default();
        assert_eq!(screen.leave(), None);
        screen.draw(SIZE, &lines());
        let left = screen.leave().unwrap();
        assert_eq!(left, "\x1b7\x1b[r\x1b[23;1H\x1b[2K\x1b[24;1H\x1b[2K\x1b8");
        assert_eq!(screen.leave(), None);
    }

    #[test]
    fn a_small_terminal_has_no_room() {
        assert!(SIZE.has_room());
        assert!(!Size { rows: 4, ..SIZE }.has_room());
        assert!(!Size {
            columns: 10,
            ..SIZE
        }
        .has_room());
    }
}
