//! Who may ask: the names by which this server is called, and the pages that may call it.

use http::header::{HeaderMap, HOST, ORIGIN};
use http::uri::Authority;

/// Names and origins that are let in.
#[derive(Debug)]
pub struct Guard {
    hosts: Option<Vec<String>>,
    origins: Vec<String>,
}

/// What is to be done with a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is served.
    Welcome,
    /// It is served, and the page's origin may read the answer.
    WelcomeFrom(String),
    /// It has no host, or more than one.
    NoHost,
    /// This server is not called so.
    OtherHost,
    /// A page of another site has sent it.
    OtherOrigin,
}

impl Guard {
    /// These names, or any; these origins, beside the server's own.
    pub fn new(hosts: Option<&[String]>, origins: &[String]) -> Guard {
        let lower = |names: &[String]| names.iter().map(|name| name.to_ascii_lowercase()).collect();
        Guard {
            hosts: hosts.map(lower),
            origins: lower(origins),
        }
    }

    /// Looks at a request. `authority` is what its target names, which goes before `Host`.
    pub fn judge(
        &self,
        authority: Option<&Authority>,
        headers: &HeaderMap,
        is_http11: bool,
    ) -> Verdict {
        let mut hosts = headers.get_all(HOST).iter();
        let first = hosts.next().map(|value| value.to_str().unwrap_or(""));
        if hosts.next().is_some() || (is_http11 && first.is_none() && authority.is_none()) {
            return Verdict::NoHost;
        }
        let named = authority.map(Authority::as_str).or(first).unwrap_or("");
        let named = named.to_ascii_lowercase();
        if !named.is_empty() && named.parse::<Authority>().is_err() {
            return Verdict::NoHost;
        }
        if let Some(known) = &self.hosts {
            let name = without_port(&named);
            if !known.iter().any(|host| host == name || *host == named) {
                return Verdict::OtherHost;
            }
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else {
            return Verdict::Welcome;
        };
        if origins.next().is_some() {
            return Verdict::OtherOrigin; // no browser sends two
        }
        let origin = origin.to_str().unwrap_or("null").to_ascii_lowercase();
        let own = origin
            .split_once("://")
            .is_some_and(|(_, host)| host == named);
        if own {
            Verdict::Welcome
        } else if self
            .origins
            .iter()
            .any(|known| *known == origin || known == "*")
        {
            Verdict::WelcomeFrom(origin)
        } else {
            Verdict::OtherOrigin
        }
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn judged(hosts: Option<&[&str]>, headers: &[(http::HeaderName, &'static str)]) -> Verdict {
        let owned: Option<Vec<String>> =
            hosts.map(|all| all.iter().map(|one| (*one).to_owned()).collect());
        let guard = Guard::new(owned.as_deref(), &["https://app.example".to_owned()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_static(value));
        }
        guard.judge(None, &map, true)
    }

    #[test]
    fn a_server_answers_to_its_names_alone() {
        let hosts: Option<&[&str]> = Some(&["localhost", "[::1]"]);
        assert_eq!(judged(hosts, &[(HOST, "LOCALHOST:80")]), Verdict::Welcome);
        assert_eq!(judged(hosts, &[(HOST, "[::1]:80")]), Verdict::Welcome);
        assert_eq!(judged(hosts, &[(HOST, "[::1]")]), Verdict::Welcome);
        assert_eq!(judged(hosts, &[(HOST, "evil.example")]), Verdict::OtherHost);
        assert_eq!(judged(None, &[(HOST, "any.example")]), Verdict::Welcome);
    }

    #[test]
    fn a_request_has_one_host() {
        assert_eq!(judged(None, &[]), Verdict::NoHost);
        assert_eq!(judged(None, &[(HOST, "a"), (HOST, "b")]), Verdict::NoHost);
        assert_eq!(judged(None, &[(HOST, "a b")]), Verdict::NoHost);
    }

    #[test]
    fn pages_of_other_sites_are_turned_away_unless_they_are_known() {
        let from = |origin| judged(None, &[(HOST, "a:80"), (ORIGIN, origin)]);
        assert_eq!(from("http://a:80"), Verdict::Welcome);
        assert_eq!(from("http://a:81"), Verdict::OtherOrigin);
        assert_eq!(from("null"), Verdict::OtherOrigin);
        let app = "https://app.example";
        assert_eq!(from(app), Verdict::WelcomeFrom(app.to_owned()));
    }
}
