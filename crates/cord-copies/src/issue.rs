//! A call on its way from a copy to the program's process.

use crate::knowledge::Place;
use cord_core::kept::KEEP;
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::payload::{Payload, World};
use cord_wire::priority::Priority;
use cord_wire::segment::SHARED_FROM;

/// So many bytes of arguments are sent at most.
const LARGEST: usize = 4 << 20;

/// A call that the copy came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue<'a> {
    /// What it is known by to the copy and its leaders.
    pub number: u32,
    /// To so many such calls who issues it has come on its way, with this one.
    pub times: u32,
    pub manner: u32,
    pub priority: Priority,
    /// What is called, by a number of the session's.
    pub function: u32,
    /// The lines that it is made by.
    pub place: Place,
    /// The last guess before it.
    pub guess: Option<Place>,
    /// It needed values: the copy had come to it before, and said [`Issue::passed_over`].
    pub late: bool,
    /// By whom the program's calls there are counted: an address, which is the same in both processes.
    pub counted: u64,
    /// What it is known by in later runs, if its outcome is kept; else zeros.
    pub keep: [u8; KEEP],
    /// See [`key`]. Empty for a call that is not issued, at least not yet.
    pub key: &'a [u8],
}

const HEAD: usize = 52 + KEEP;
/// In a key, where the length of a world would be: it is the one that the copy was made in.
const NO_WORLD: u32 = u32::MAX;
/// Numbers of what is no call.
const ENDS: u32 = u32::MAX;
const WAITS: u32 = u32::MAX - 1;
const GUESSES: u32 = u32::MAX - 2;
const WRONG: u32 = u32::MAX - 3;
const PASSES: u32 = u32::MAX - 4;
const NOTES: u32 = u32::MAX - 7;
const ANSWERED: u32 = u32::MAX - 5;
const STOOD_FOR: u32 = u32::MAX - 6;

/// What follows a number in the log of replies: 0 for nothing that a copy can have, 1 for a value,
/// the number of another call that is the same …
pub const SAME: u8 = 2;
/// … or, where the number is that of no call, what a call of the program's has shown.
pub const LESSON: u8 = 3;
pub const NONE: [u8; 4] = u32::MAX.to_le_bytes();

/// What a copy says besides its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Why it ends, in its own words, and the last guess before that.
    Ends(String, Option<Place>),
    /// Where the program asks for a value that is not there.
    Waits(String),
    /// It guesses here, at this line of the program.
    Guesses(Place, String),
    /// What it has guessed here, and what should have been.
    Wrong(Place, String),
    /// It passes by what this line of the program asks for.
    Passes(Place, String),
    /// It has made something that others would make again: of what, and what.
    Notes(Vec<u8>, Vec<u8>),
    /// This question was answered so.
    Answered(u64, u32),
    /// Whether what a function of the project's has given was the value of a call: of which function, with
    /// which arguments, and by which name that one goes.
    StoodFor(u32, u64, bool, String),
}

impl<'a> Issue<'a> {
    /// A call that the copy comes to and does not issue.
    pub fn passed_over(number: u32) -> Issue<'static> {
        Issue {
            number,
            times: 0,
            manner: 0,
            priority: Priority::default(),
            function: 0,
            place: 0,
            guess: None,
            late: false,
            counted: 0,
            keep: [0; KEEP],
            key: &[],
        }
    }

    /// Not a call: the copy guesses at a place, which is this line.
    pub fn guesses_at(place: Place, line: &str) -> Issue<'_> {
        Issue {
            guess: Some(place),
            key: line.as_bytes(),
            ..Issue::passed_over(GUESSES)
        }
    }

    /// Not a call: the copy passes by what is asked for at a place, which is this line.
    pub fn passes_at(place: Place, line: &str) -> Issue<'_> {
        Issue {
            guess: Some(place),
            key: line.as_bytes(),
            ..Issue::passed_over(PASSES)
        }
    }

    /// Not a call: a note for others, as [`note`] writes it.
    pub fn notes(note: &[u8]) -> Issue<'_> {
        Issue {
            key: note,
            ..Issue::passed_over(NOTES)
        }
    }

    /// Not a call: the copy has found that it guessed wrong at a place.
    pub fn was_wrong(place: Place, words: &str) -> Issue<'_> {
        Issue {
            guess: Some(place),
            key: words.as_bytes(),
            ..Issue::passed_over(WRONG)
        }
    }

    /// Not a call: the copy has found what a question is answered.
    pub fn answered(question: u64, answer: u32) -> Issue<'static> {
        Issue {
            guess: Some(question),
            times: answer,
            ..Issue::passed_over(ANSWERED)
        }
    }

    /// Not a call: the copy has found whether what stood for the value of a call was that.
    pub fn stood_for(function: u32, call: u64, right: bool, by: &str) -> Issue<'_> {
        Issue {
            function,
            counted: call,
            late: right,
            key: by.as_bytes(),
            ..Issue::passed_over(STOOD_FOR)
        }
    }

    /// Not a call: the copy says why it ends.
    pub fn last_words(words: &str, guess: Option<Place>) -> Issue<'_> {
        Issue {
            guess,
            key: words.as_bytes(),
            ..Issue::passed_over(ENDS)
        }
    }

    /// Not a call: the copy waits for a value that is asked for at this place of the program.
    pub fn waits_at(place: &str) -> Issue<'_> {
        Issue {
            key: place.as_bytes(),
            ..Issue::passed_over(WAITS)
        }
    }

    /// What the copy says, if this is no call.
    pub fn said(&self) -> Option<Said> {
        let words = || String::from_utf8_lossy(self.key).into_owned();
        match self.number {
            ENDS => Some(Said::Ends(words(), self.guess)),
            WAITS => Some(Said::Waits(words())),
            GUESSES => Some(Said::Guesses(self.guess?, words())),
            WRONG => Some(Said::Wrong(self.guess?, words())),
            PASSES => Some(Said::Passes(self.guess?, words())),
            NOTES => {
                let (length, rest) = self.key.split_first_chunk()?;
                let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                let (key, note) = rest.split_at_checked(length)?;
                Some(Said::Notes(key.to_vec(), note.to_vec()))
            }
            ANSWERED => Some(Said::Answered(self.guess?, self.times)),
            STOOD_FOR => Some(Said::StoodFor(
                self.function,
                self.counted,
                self.late,
                words(),
            )),
            _ => None,
        }
    }

    /// What goes before the key.
    pub fn head(&self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(&self.number.to_le_bytes());
        head[4..8].copy_from_slice(&self.manner.to_le_bytes());
        head[8..16].copy_from_slice(&self.priority.to_bits().to_le_bytes());
        head[16..24].copy_from_slice(&self.guess.unwrap_or(0).to_le_bytes());
        head[24..28].copy_from_slice(&self.function.to_le_bytes());
        head[28] = u8::from(self.late);
        head[32..40].copy_from_slice(&self.counted.to_le_bytes());
        head[40..44].copy_from_slice(&self.times.to_le_bytes());
        head[44..52].copy_from_slice(&self.place.to_le_bytes());
        head[52..].copy_from_slice(&self.keep);
        head
    }

    /// As it came.
    pub fn read(record: &'a [u8]) -> Option<Issue<'a>> {
        let (head, key) = record.split_at_checked(HEAD)?;
        let (number, rest) = head.split_first_chunk()?;
        let (manner, rest) = rest.split_first_chunk()?;
        let (priority, rest) = rest.split_first_chunk()?;
        let (guess, rest) = rest.split_first_chunk()?;
        let (function, rest) = rest.split_first_chunk()?;
        let (late, rest) = rest.split_first_chunk::<4>()?;
        let (counted, rest) = rest.split_first_chunk()?;
        let (times, rest) = rest.split_first_chunk()?;
        let (place, rest) = rest.split_first_chunk()?;
        let keep = *rest.first_chunk()?;
        Some(Issue {
            number: u32::from_le_bytes(*number),
            times: u32::from_le_bytes(*times),
            manner: u32::from_le_bytes(*manner),
            priority: Priority::from_bits(u64::from_le_bytes(*priority)),
            function: u32::from_le_bytes(*function),
            place: Place::from_le_bytes(*place),
            guess: Some(u64::from_le_bytes(*guess)).filter(|place| *place != 0),
            late: late[0] == 1,
            counted: u64::from_le_bytes(*counted),
            keep,
            key,
        })
    }
}

/// A note and its key in one; none if that is too large.
pub fn note(key: &[u8], note: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(key.len()).ok()?;
    (key.len() + note.len() <= LARGEST).then(|| [&length.to_le_bytes(), key, note].concat())
}

/// All that tells a call from others: the module, what is sent, and the world, if that is another one
/// than the copy was made in. None if it is too large.
pub fn key(module: u32, payload: &Payload, world: Option<&World>) -> Option<Vec<u8>> {
    let pieces = pieces(payload)?;
    let size: usize = pieces.iter().map(|piece| piece.len() + 4).sum();
    let length = world.map_or(0, |world| world.len());
    if size + length > LARGEST {
        return None;
    }
    let mut key = Vec::with_capacity(size + length + 9);
    key.extend(module.to_le_bytes());
    match world {
        None => key.extend(NO_WORLD.to_le_bytes()),
        Some(world) => write(&mut key, &[world])?,
    }
    key.push(payload.codec.0);
    write(&mut key, &pieces)?;
    Some(key)
}

/// The module, the payload and the world that a key tells of.
pub fn call_of(key: &[u8]) -> Option<(u32, Payload, Option<World>)> {
    let (module, rest) = key.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (world, rest) = match u32::from_le_bytes(*length) {
        NO_WORLD => (None, rest),
        length => {
            let (world, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            (Some(World::from(world)), rest)
        }
    };
    let mut payload = read(rest)?;
    payload.buffers = payload.buffers.into_iter().map(to_be_sent).collect();
    Some((u32::from_le_bytes(*module), payload, world))
}

/// A large buffer is to travel as those of the program's own calls do: in shared memory.
fn to_be_sent(buffer: Buffer) -> Buffer {
    let is_large = buffer.len() >= SHARED_FROM;
    let shared = is_large.then(|| Buffer::copy_from(buffer.bytes().ok()?, SHARED_FROM).ok());
    shared.flatten().unwrap_or(buffer)
}

/// A payload as it lies in a log; none if it is too large.
pub fn flat(payload: &Payload) -> Option<Vec<u8>> {
    let pieces = pieces(payload)?;
    let size: usize = pieces.iter().map(|piece| piece.len() + 4).sum();
    let mut flat = Vec::with_capacity(size + 1);
    flat.push(payload.codec.0);
    write(&mut flat, &pieces)?;
    Some(flat)
}

/// None where there is no memory to see one of them in.
fn pieces(payload: &Payload) -> Option<Vec<&[u8]>> {
    let buffers = payload.buffers.iter().map(|buffer| buffer.bytes().ok());
    std::iter::once(Some(payload.head.as_slice()))
        .chain(buffers)
        .collect()
}

fn write(to: &mut Vec<u8>, pieces: &[&[u8]]) -> Option<()> {
    for piece in pieces {
        to.extend(u32::try_from(piece.len()).ok()?.to_le_bytes());
        to.extend_from_slice(piece);
    }
    Some(())
}

/// A payload out of a log.
pub fn read(flat: &[u8]) -> Option<Payload> {
    let (codec, mut flat) = flat.split_first()?;
    let mut pieces = Vec::new();
    while !flat.is_empty() {
        let (length, rest) = flat.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (piece, rest) = rest.split_at_checked(length)?;
        pieces.push(piece.to_vec());
        flat = rest;
    }
    let mut pieces = pieces.into_iter();
    Some(Payload {
        codec: Codec(*codec),
        head: pieces.next()?,
        buffers: pieces.map(Buffer::from).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(head: &[u8], buffers: &[&[u8]]) -> Payload {
        Payload {
            codec: Codec(7),
            head: head.to_vec(),
            buffers: buffers.iter().map(|one| one.to_vec().into()).collect(),
        }
    }

    #[test]
    fn calls_come_out_as_they_went_in() {
        let key = key(3, &payload(b"head", &[b"", b"buffer"]), None).unwrap();
        let issue = Issue {
            number: 7,
            times: 3,
            manner: 2,
            priority: Priority::new(1.5),
            function: 5,
            place: u64::MAX - 1,
            guess: Some(1 << 40),
            late: true,
            counted: 1 << 50,
            keep: [7; KEEP],
            key: &key,
        };
        let record = [&issue.head()[..], &key].concat();
        assert_eq!(Issue::read(&record), Some(issue));
        let (module, sent, world) = call_of(&key).unwrap();
        assert_eq!((module, world), (3, None));
        assert_eq!(pieces(&sent).unwrap(), [&b"head"[..], b"", b"buffer"]);
        assert_eq!(sent.codec, Codec(7));
    }

    #[test]
    fn large_buffers_of_its_calls_are_in_shared_memory() {
        let large = vec![7; SHARED_FROM];
        let key = key(3, &payload(b"head", &[b"small", &large]), None).unwrap();
        let (_, sent, _) = call_of(&key).unwrap();
        assert_eq!(pieces(&sent).unwrap(), [&b"head"[..], b"small", &large]);
        let is_shared = |buffer: &Buffer| matches!(buffer, Buffer::Shared(_));
        let shared: Vec<bool> = sent.buffers.iter().map(is_shared).collect();
        assert_eq!(shared, [false, true]);
    }

    #[test]
    fn what_a_copy_says_is_no_call() {
        let read = |issue: Issue<'_>| {
            let record = [&issue.head()[..], issue.key].concat();
            Issue::read(&record).and_then(|issue| issue.said())
        };
        let words = || "main.py:3".to_owned();
        let ends = Issue::last_words("main.py:3", Some(7));
        assert_eq!(read(ends), Some(Said::Ends(words(), Some(7))));
        let guesses = Issue::guesses_at(9, "main.py:3");
        assert_eq!(read(guesses), Some(Said::Guesses(9, words())));
        assert_eq!(
            read(Issue::waits_at("main.py:3")),
            Some(Said::Waits(words()))
        );
        assert_eq!(
            read(Issue::was_wrong(9, "main.py:3")),
            Some(Said::Wrong(9, words()))
        );
        let passes = Issue::passes_at(9, "main.py:3");
        assert_eq!(read(passes), Some(Said::Passes(9, words())));
        assert_eq!(read(Issue::answered(9, 2)), Some(Said::Answered(9, 2)));
        let stood = Issue::stood_for(3, 9, true, "main.py:3");
        assert_eq!(read(stood), Some(Said::StoodFor(3, 9, true, words())));
        assert_eq!(read(Issue::passed_over(3)), None);
        let noted = note(b"key", b"note").unwrap();
        let told = Said::Notes(b"key".to_vec(), b"note".to_vec());
        assert_eq!(read(Issue::notes(&noted)), Some(told));
        assert!(note(b"", &vec![0; LARGEST + 1]).is_none());
    }

    #[test]
    fn keys_tell_calls_apart() {
        let of =
            |module, head: &[u8], buffers: &[&[u8]]| key(module, &payload(head, buffers), None);
        assert_eq!(of(0, b"f", &[b"a"]), of(0, b"f", &[b"a"]));
        assert_ne!(of(0, b"f", &[b"a"]), of(1, b"f", &[b"a"]));
        assert_ne!(of(0, b"f", &[b"ab"]), of(0, b"f", &[b"a", b"b"]));
        assert_ne!(of(0, b"fa", &[]), of(0, b"f", &[b"a"]));
    }

    #[test]
    fn what_is_too_large_has_none() {
        assert!(key(0, &payload(&vec![0; LARGEST], &[]), None).is_none());
    }

    #[test]
    fn calls_in_other_worlds_are_others() {
        let worlds: [Option<&[u8]>; 3] = [None, Some(b""), Some(b"A=1")];
        let keys = worlds
            .map(|world| key(0, &payload(b"f", &[]), world.map(World::from).as_ref()).unwrap());
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(keys.iter().filter(|other| *other == key).count(), 1);
            let (_, sent, world) = call_of(key).unwrap();
            assert_eq!(
                (sent.head.as_slice(), world.as_deref()),
                (&b"f"[..], worlds[at])
            );
        }
    }

    #[test]
    fn garbage_is_refused() {
        assert!(read(&[0, 5, 0, 0, 0, 1]).is_none());
        assert!(read(&[0]).is_none());
        assert!(read(&[]).is_none());
        assert!(Issue::read(&[0; HEAD - 1]).is_none());
    }
}
