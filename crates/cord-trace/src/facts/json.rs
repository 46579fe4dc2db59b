//! Facts as JSON: numbers, and columns of numbers as base64 of little-endian bytes.

use std::fmt::{Display, Write};

use super::{Drawn, Facts, Kind, Path, Place, Row, Timeline, Used};

/// So many pieces of the critical path are told; of more, the longest.
const MOST_PIECES: usize = 20_000;

pub(super) fn written(facts: &Facts) -> String {
    object(&[
        ("length", text(facts.length)),
        ("thread", text(facts.thread)),
        ("at_calls", text(facts.at_calls)),
        ("threads", text(facts.threads)),
        ("calls", text(facts.calls)),
        ("takes", text(facts.takes)),
        ("places", list(facts.places.iter().map(place))),
        ("replicas", list(facts.replicas.iter().map(used))),
        (
            "nodes",
            list((facts.nodes.iter()).map(|(node, name)| list([text(node), quoted(name)]))),
        ),
        ("path", path(&facts.path)),
        ("answered", list(&facts.answered)),
        ("timeline", timeline(&facts.timeline)),
    ])
}

fn place(place: &Place) -> String {
    let at = place.at;
    object(&[
        ("place", text(place.place)),
        ("module", text(place.module)),
        ("issued", text(place.issued)),
        ("nested", text(place.nested)),
        ("answered", text(place.answered)),
        ("dropped", text(place.dropped)),
        ("lost", text(place.lost)),
        ("again", text(place.again)),
        ("takes", text(place.takes)),
        ("unsent", text(place.unsent)),
        ("ahead", text(place.ahead)),
        ("spent", text(place.spent)),
        ("handling", text(at.handling)),
        ("made", text(at.made)),
        ("queued_for", text(at.queued)),
        ("running", text(at.running)),
        ("coming", text(at.coming)),
        ("ran", text(place.ran)),
        ("hidden", text(place.hidden)),
        ("in_vain", text(place.in_vain)),
        ("queued", text(place.queued)),
        ("service", text(place.service)),
        ("bytes", text(place.bytes)),
        ("supplied", text(place.supplied)),
        ("came", text(place.came)),
        ("quantiles", list(place.quantiles)),
        ("buckets", pairs(place.buckets.iter().copied())),
    ])
}

fn used(one: &Used) -> String {
    let replica = &one.replica;
    let maybe = |time: Option<u64>| time.map_or_else(|| "null".to_owned(), text);
    object(&[
        ("id", text(replica.id)),
        ("module", text(replica.module)),
        ("slot", text(replica.slot)),
        ("node", maybe(replica.node.map(u64::from))),
        ("launched", text(replica.launched)),
        ("ready", maybe(replica.ready)),
        ("died", maybe(replica.died.map(|died| died.0))),
        ("how", maybe(replica.died.map(|died| u64::from(died.1)))),
        ("ended", text(replica.was_ended)),
        ("far", text(replica.offset != 0)),
        ("calls", text(one.calls)),
        ("busy", text(one.busy)),
        ("in_vain", text(one.in_vain)),
        ("service", text(one.service)),
        ("last", text(one.last)),
    ])
}

fn path(path: &Path) -> String {
    let sums = path.sums.iter().map(|((place, kind), (spent, many))| {
        list([text(place), quoted(name(*kind)), text(spent), text(many)])
    });
    let mut pieces: Vec<_> = path.pieces.iter().collect();
    if pieces.len() > MOST_PIECES {
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.ended - piece.began));
        pieces.truncate(MOST_PIECES);
        pieces.sort_by_key(|piece| piece.began);
    }
    let told = pieces.iter().map(|piece| {
        let length = piece.ended - piece.began;
        list([
            piece.began,
            length,
            piece.kind as u64,
            u64::from(piece.place),
        ])
    });
    object(&[
        ("sums", list(sums)),
        ("pieces", text(path.pieces.len())),
        ("longest", list(told)),
        ("kinds", base64(path.kinds.iter().map(|kind| *kind as u8))),
    ])
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Own => "own",
        Kind::Handling => "handling",
        Kind::Made => "made",
        Kind::Scout => "scout",
        Kind::Starting => "starting",
        Kind::Sending => "sending",
        Kind::Running => "running",
        Kind::Behind => "behind",
        Kind::Needed => "needed",
        Kind::Coming => "coming",
    }
}

fn timeline(timeline: &Timeline) -> String {
    object(&[
        ("unit", text(timeline.unit)),
        ("takes_of", text(timeline.takes_of)),
        ("calls_of", text(timeline.calls_of)),
        ("threads", list(timeline.threads.iter().map(row))),
        ("replicas", list(timeline.replicas.iter().map(row))),
        ("scouts", list(&timeline.scouts)),
        ("copies", pairs(timeline.copies.iter().copied())),
    ])
}

fn row(row: &Row) -> String {
    let column =
        |of: fn(&Drawn) -> u32| base64(row.singles.iter().flat_map(|one| of(one).to_le_bytes()));
    let places = base64((row.singles.iter()).flat_map(|one| one.place.to_le_bytes()));
    object(&[
        ("about", list(&row.about)),
        (
            "levels",
            list((row.levels.iter()).map(|level| base64(level.iter().copied()))),
        ),
        ("many", text(row.singles.len())),
        ("began", column(|one| one.began)),
        ("length", column(|one| one.length)),
        ("before", column(|one| one.before)),
        ("place", places),
        ("what", base64(row.singles.iter().map(|one| one.what))),
    ])
}

fn text(value: impl Display) -> String {
    value.to_string()
}

fn quoted(value: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn list<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    let mut all = String::from("[");
    for value in values {
        if all.len() > 1 {
            all.push(',');
        }
        let _ = write!(all, "{value}");
    }
    all.push(']');
    all
}

fn pairs(values: impl IntoIterator<Item = (u64, u64)>) -> String {
    list(values.into_iter().map(|(one, other)| list([one, other])))
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = (fields.iter())
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// Bytes as base64 (RFC 4648), quoted.
fn base64(bytes: impl Iterator<Item = u8>) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = bytes.collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4 + 2);
    text.push('"');
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| {
            bits << 8 | u32::from(three.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            if at <= three.len() {
                text.push(DIGITS[(bits >> (18 - 6 * at)) as usize & 63] as char);
            } else {
                text.push('=');
            }
        }
    }
    text.push('"');
    text
}
