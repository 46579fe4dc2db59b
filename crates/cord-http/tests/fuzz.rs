//! Random bytes for all that reads bytes of others: nothing panics, nothing hangs. `make fuzz` runs it for
//! longer; the seeds are the corpus of `tests/serve/corpus`. A panic prints the seed by which it comes again.

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use cord_http::frame::{Request, Response};
use cord_http::route::{query_value, Found, Routes};
use cord_http::stream::unframed;
use http::Method;

/// Marsaglia's xorshift64: the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/serve/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus is in the tree")
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

fn mutated(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.insert(at, random.next() as u8),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            4 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len());
                bytes.splice(at..at, other[from..].iter().copied().take(64));
            }
            _ if at < bytes.len() => {
                bytes[at] = [0, 0xff, b'%', b'/', b'{', 0xc0, 0xdd][random.below(7)]
            }
            _ => {}
        }
    }
    bytes
}

fn routes() -> Routes {
    let paths = [
        "/hello/{name}",
        "/a/{x}/b/{y}",
        "/files/{*rest}",
        "/a/fixed",
    ];
    Routes::new(paths.iter().map(|path| (Method::GET, *path))).unwrap()
}

fn try_all(bytes: &[u8], random: &mut Random, routes: &Routes) {
    if let Ok(whole) = Response::decode(Bytes::copy_from_slice(bytes)) {
        assert!(whole.body.len() < bytes.len(), "a head has a length");
    }
    let text = String::from_utf8_lossy(bytes);
    let (path, query) = text.split_once('?').unwrap_or((&text, ""));
    if let Found::Route(number, values) = routes.find(&Method::GET, path) {
        assert_eq!(values.len(), [1, 2, 1, 0][number]);
    }
    let value = query_value(query, "a");
    let request = Request {
        spec: bytes,
        path: vec![path.to_owned()],
        query,
        headers: vec![value, None],
        content_type: Some(&text),
        stream: Some((&text, random.next())),
        body: Some(bytes),
    };
    let frame = request.encode();
    assert!(frame.len() > bytes.len() * 2);
    assert!(
        Response::decode(frame.into()).is_err(),
        "a request is no response"
    );
    let cut = random.below(bytes.len() + 1);
    let (one, other) = bytes.split_at(cut);
    assert_eq!(
        unframed(&[one, other]),
        unframed(&[bytes]),
        "in whatever pieces"
    );
}

#[test]
fn nothing_that_comes_from_outside_makes_it_panic() {
    let seconds = std::env::var("SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let until = Instant::now() + Duration::from_secs_f64(seconds.unwrap_or(0.5));
    let mut seed: u64 = std::env::var("SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let (corpus, routes) = (corpus(), routes());
    while Instant::now() < until {
        for _ in 0..100 {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let bytes = mutated(&mut random, &corpus);
            let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                try_all(&bytes, &mut random, &routes);
            }));
            assert!(tried.is_ok(), "SEED={seed} gives {bytes:?}");
            seed += 1;
        }
    }
    println!("{seed} inputs");
}
