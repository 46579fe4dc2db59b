//! Which route a request is for: its path, its method, and what the path's parameters are.

use std::collections::BTreeMap;

use http::Method;
use matchit::Router;
use percent_encoding::percent_decode_str;

/// The routes of a site: by path, then by method.
#[derive(Debug, Default)]
pub struct Routes {
    router: Router<Vec<(Method, usize)>>,
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// The route's number, and the values of its parameters in the path's order.
    Route(usize, Vec<String>),
    /// There is the path, but not for this method: those that there are, for `Allow`.
    OtherMethods(String),
    /// There is no such path.
    Nothing,
    /// A parameter is no UTF-8 once it is decoded.
    Undecodable,
}

impl Routes {
    /// Of method and path of each, numbered as they come.
    ///
    /// # Errors
    /// Which path is wrong, and why.
    pub fn new<'a>(routes: impl Iterator<Item = (Method, &'a str)>) -> Result<Routes, String> {
        let mut paths: BTreeMap<String, Vec<(Method, usize)>> = BTreeMap::new();
        for (number, (method, path)) in routes.enumerate() {
            let methods = paths.entry(shape(path)).or_default();
            if methods.iter().any(|(known, _)| *known == method) {
                return Err(format!("{method} {path} is there twice"));
            }
            methods.push((method, number));
        }
        let mut router = Router::new();
        for (path, methods) in paths {
            let inserted = router.insert(&path[..], methods);
            inserted.map_err(|why| format!("{path}: {why}"))?;
        }
        Ok(Routes { router })
    }

    /// What a request with this method and path is for. `HEAD` is what `GET` would be, without a body.
    pub fn find(&self, method: &Method, path: &str) -> Found {
        let Ok(found) = self.router.at(path) else {
            return Found::Nothing;
        };
        let as_get = |known: &Method| *method == Method::HEAD && *known == Method::GET;
        let of_method = |wanted: &dyn Fn(&Method) -> bool| {
            let mut all = found.value.iter();
            all.find(|(known, _)| wanted(known))
                .map(|(_, number)| *number)
        };
        let number = of_method(&|known| known == method).or_else(|| of_method(&as_get));
        let Some(number) = number else {
            return Found::OtherMethods(allow(found.value));
        };
        let decoded = found.params.iter().map(|(_, value)| {
            let text = percent_decode_str(value).decode_utf8();
            text.map(|text| text.into_owned())
        });
        match decoded.collect::<Result<_, _>>() {
            Ok(values) => Found::Route(number, values),
            Err(_) => Found::Undecodable,
        }
    }
}

/// A path with its parameters numbered: what they are called is their function's, and `GET /{id}` and
/// `DELETE /{key}` are one path.
fn shape(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    for (number, part) in path.split('{').enumerate() {
        let Some((name, rest)) = part.split_once('}').filter(|_| number > 0) else {
            shape.push_str(part);
            continue;
        };
        let all = if name.starts_with('*') { "*" } else { "" };
        shape.push_str(&format!("{{{all}p{number}}}{rest}"));
    }
    shape
}

fn allow(methods: &[(Method, usize)]) -> String {
    let mut names: Vec<&str> = methods.iter().map(|(method, _)| method.as_str()).collect();
    if names.contains(&"GET") && !names.contains(&"HEAD") {
        names.push("HEAD");
    }
    if !names.contains(&"OPTIONS") {
        names.push("OPTIONS");
    }
    names.sort_unstable();
    names.join(", ")
}

/// The value of a parameter of a query, the first one of its name, decoded.
pub fn query_value(query: &str, name: &str) -> Option<String> {
    query.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(key)? == name).then(|| decoded(value)).flatten()
    })
}

fn decoded(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    let found = percent_decode_str(&spaced).decode_utf8().ok()?;
    Some(found.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routes(of: &[(Method, &'static str)]) -> Routes {
        Routes::new(of.iter().cloned()).unwrap()
    }

    fn found(number: usize, values: &[&str]) -> Found {
        Found::Route(number, values.iter().map(|one| (*one).to_owned()).collect())
    }

    #[test]
    fn paths_are_matched_by_segments_and_their_parameters_decoded() {
        let routes = routes(&[
            (Method::GET, "/a/{x}"),
            (Method::GET, "/a/b"),
            (Method::GET, "/f/{*rest}"),
            (Method::GET, "/v{n}/{x}/end"),
        ]);
        let get = |path| routes.find(&Method::GET, path);
        assert_eq!(get("/a/b"), found(1, &[]));
        assert_eq!(get("/a/c%20d%2Fe"), found(0, &["c d/e"]));
        assert_eq!(get("/f/x/y"), found(2, &["x/y"]));
        assert_eq!(get("/v1/k/end"), found(3, &["1", "k"]));
        assert_eq!(get("/a/b/c"), Found::Nothing);
        assert_eq!(get("/a/%ff"), Found::Undecodable);
    }

    #[test]
    fn a_path_for_other_methods_names_them() {
        let routes = routes(&[
            (Method::GET, "/a"),
            (Method::POST, "/a"),
            (Method::PUT, "/b"),
        ]);
        let allowed = Found::OtherMethods("GET, HEAD, OPTIONS, POST".to_owned());
        assert_eq!(routes.find(&Method::DELETE, "/a"), allowed);
        assert_eq!(routes.find(&Method::HEAD, "/a"), found(0, &[]));
        let allowed = Found::OtherMethods("OPTIONS, PUT".to_owned());
        assert_eq!(routes.find(&Method::HEAD, "/b"), allowed);
    }

    #[test]
    fn one_path_may_name_its_parameters_otherwise_for_each_method() {
        let routes = routes(&[
            (Method::GET, "/a/{id}"),
            (Method::DELETE, "/a/{key}"),
            (Method::GET, "/a/{of}/{*rest}"),
        ]);
        assert_eq!(routes.find(&Method::GET, "/a/x"), found(0, &["x"]));
        assert_eq!(routes.find(&Method::DELETE, "/a/x"), found(1, &["x"]));
        assert_eq!(
            routes.find(&Method::GET, "/a/x/y/z"),
            found(2, &["x", "y/z"])
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_refused() {
        let of =
            |paths: [&'static str; 2]| Routes::new(paths.map(|one| (Method::GET, one)).into_iter());
        assert!(of(["/a", "/a"]).is_err());
        assert!(of(["/{x}", "/{y}"]).is_err());
    }

    #[test]
    fn a_query_is_decoded_where_it_is_asked() {
        let query = "a=1&b%20c=x+y%21&a=2&%ff=3&d";
        assert_eq!(query_value(query, "a").as_deref(), Some("1"));
        assert_eq!(query_value(query, "b c").as_deref(), Some("x y!"));
        assert_eq!(query_value(query, "d").as_deref(), Some(""));
        assert_eq!(query_value(query, "e"), None);
    }
}
