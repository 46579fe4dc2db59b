//! The access log: one line for each request, in the common log format with the seconds it took.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use http::{Method, StatusCode};

/// Where lines go; shared by all who write.
#[derive(Clone)]
pub struct Access(Arc<Mutex<Box<dyn Write + Send>>>);

/// What is known of a request when it comes.
pub struct Line {
    peer: String,
    request: String,
}

impl Access {
    /// To the end of a file, or to "stderr".
    pub fn open(path: &str) -> Result<Access, String> {
        let to: Box<dyn Write + Send> = match path {
            "stderr" => Box::new(io::stderr()),
            _ => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                Box::new(file.map_err(|why| format!("the access log {path}: {why}"))?)
            }
        };
        Ok(Access(Arc::new(Mutex::new(to))))
    }

    /// Writes one line, at once.
    pub fn write(&self, line: Line, status: StatusCode, bytes: u64, seconds: f64) {
        let when = time(SystemTime::now());
        let Line { peer, request } = line;
        let status = status.as_u16();
        let whole = format!("{peer} - - [{when}] \"{request}\" {status} {bytes} {seconds:.6}\n");
        let mut to = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = to.write_all(whole.as_bytes()); // a full disk stops no request
    }
}

impl Line {
    /// A request's; what would break the line is escaped.
    pub fn new(peer: &str, method: &Method, path: &str) -> Line {
        let request = format!("{method} {path}");
        Line {
            peer: peer.to_owned(),
            request: request.replace('\\', "\\\\").replace('"', "\\\""),
        }
    }
}

/// As 2026-11-23T10:20:30Z.
fn time(at: SystemTime) -> String {
    let seconds = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of so many days since 1970: Howard Hinnant's `civil_from_days`, from
/// <https://howardhinnant.github.io/date_algorithms.html>.
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let (era, doe) = (z / 146_097, z % 146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    (year, month, doy - (153 * mp + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_time_is_utc() {
        let at = |seconds| time(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_795_473_630), "2026-11-23T22:40:30Z");
    }

    #[test]
    fn a_path_stays_in_its_quotes() {
        let line = Line::new("127.0.0.1", &Method::GET, "/a\"b");
        assert_eq!(line.request, "GET /a\\\"b");
    }
}
