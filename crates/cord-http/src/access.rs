//! The access log: one line for each request, as most servers write it with the seconds it took, or in JSON.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use http::{Method, StatusCode};

/// Where lines go; shared by all who write.
#[derive(Clone)]
pub struct Access {
    to: Arc<Mutex<Box<dyn Write + Send>>>,
    is_json: bool,
}

/// What is known of a request when it comes.
pub struct Line {
    peer: String,
    method: Method,
    target: String,
}

impl Access {
    /// To the end of a file, or to "stderr".
    pub fn open(path: &str, is_json: bool) -> Result<Access, String> {
        let to: Box<dyn Write + Send> = match path {
            "stderr" => Box::new(io::stderr()),
            _ => {
                let file = OpenOptions::new().create(true).append(true).open(path);
                Box::new(file.map_err(|why| format!("the access log {path}: {why}"))?)
            }
        };
        let to = Arc::new(Mutex::new(to));
        Ok(Access { to, is_json })
    }

    /// Writes one line, at once.
    pub fn write(&self, line: Line, status: StatusCode, bytes: u64, seconds: f64) {
        let when = time(SystemTime::now());
        let whole = line.text(self.is_json, &when, status.as_u16(), bytes, seconds);
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = to.write_all(whole.as_bytes()); // a full disk stops no request
    }
}

impl Line {
    /// A request's.
    pub fn new(peer: &str, method: &Method, target: &str) -> Line {
        Line {
            peer: peer.to_owned(),
            method: method.clone(),
            target: target.to_owned(),
        }
    }

    /// The whole line; what would break it is escaped.
    fn text(&self, is_json: bool, when: &str, status: u16, bytes: u64, seconds: f64) -> String {
        let Line {
            peer,
            method,
            target,
        } = self;
        if is_json {
            let (method, seconds) = (method.as_str(), (seconds * 1e6).round() / 1e6);
            let members = serde_json::json!({
                "time": when, "peer": peer, "method": method, "target": target,
                "status": status, "bytes": bytes, "seconds": seconds,
            });
            return format!("{members}\n");
        }
        let target = target.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{peer} - - [{when}] \"{method} {target}\" {status} {bytes} {seconds:.6}\n")
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
        assert_eq!(
            line.text(false, "now", 200, 3, 0.5),
            "127.0.0.1 - - [now] \"GET /a\\\"b\" 200 3 0.500000\n"
        );
        let json: serde_json::Value =
            serde_json::from_str(&line.text(true, "now", 200, 3, 0.5)).unwrap();
        assert_eq!(
            (&json["target"], &json["seconds"]),
            (&"/a\"b".into(), &0.5.into())
        );
    }
}
