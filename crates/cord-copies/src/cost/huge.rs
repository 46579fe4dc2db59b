//! Huge pages of the program's. Where it writes one while a copy lives, the kernel splits it for good, and
//! the program is slower from then on; so when the copy has ended they are put together again.

use std::fs;

use cord_os::threads::spawn_quiet;

/// Of this size they are, on all machines that have copies.
const HUGE: usize = 2 << 20;
/// The kernel's request to put pages together, which not all versions of the binding know.
const COLLAPSE: libc::c_int = 25;
/// Memory is put together only if this part of it, one in so many, is missing at most: it must not grow.
const MISSING: usize = 10;

/// So many copied pages are worth looking whether huge ones were split.
pub const WORTH_IT: u64 = 512;

/// Puts together what was split. The program's thread looks where that is: no other may open files, for
/// the program may close all descriptors meanwhile, and have its own at their numbers. The rest is done
/// beside it.
pub fn restore() {
    let all = find();
    if !all.is_empty() {
        // without a thread the pages stay as they are
        let _ = spawn_quiet("cord-pages", move || collapse(&all));
    }
}

fn find() -> Vec<(usize, usize)> {
    let how = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    if how.is_empty() || how.contains("[never]") {
        return Vec::new();
    }
    let all = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    split(&all, how.contains("[always]"))
}

fn collapse(all: &[(usize, usize)]) {
    for (start, end) in all {
        for block in (*start..*end).step_by(HUGE) {
            // SAFETY: what the memory holds stays as it is, whatever is there by now.
            unsafe { libc::madvise(block as *mut libc::c_void, HUGE, COLLAPSE) };
        }
    }
}

/// Where memory lies that should be in huge pages and is not, given what `/proc/self/smaps` says.
/// `always`: it should be everywhere; else where the program has said so.
fn split(all: &str, always: bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut now = Mapping::default();
    for line in all.lines() {
        let mut words = line.split_ascii_whitespace();
        match (words.next().unwrap_or(""), words.next()) {
            ("Anonymous:", Some(size)) => now.own = kilobytes(size),
            ("AnonHugePages:", Some(size)) => now.huge = kilobytes(size),
            ("VmFlags:", Some(first)) => {
                let asked = std::iter::once(first).chain(words).any(|flag| flag == "hg");
                found.extend((always || asked).then(|| now.split()).flatten());
            }
            (range, Some(rights)) if !range.ends_with(':') => now = Mapping::of(range, rights),
            _ => {}
        }
    }
    found
}

#[derive(Default)]
struct Mapping {
    start: usize,
    end: usize,
    writable: bool,
    own: usize,
    huge: usize,
}

impl Mapping {
    fn of(range: &str, rights: &str) -> Mapping {
        let number = |text: &str| usize::from_str_radix(text, 16).unwrap_or(0);
        let (start, end) = range.split_once('-').unwrap_or_default();
        Mapping {
            start: number(start),
            end: number(end),
            writable: rights.starts_with("rw") && rights.ends_with('p'),
            ..Mapping::default()
        }
    }

    fn split(&self) -> Option<(usize, usize)> {
        let (start, end) = (self.start.next_multiple_of(HUGE), self.end / HUGE * HUGE);
        let size = self.end - self.start;
        let is_full = size - size / MISSING <= self.own;
        (self.writable && start < end && is_full && self.huge < end - start).then_some((start, end))
    }
}

fn kilobytes(text: &str) -> usize {
    text.parse::<usize>().unwrap_or(0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(range: &str, own: usize, huge: usize, flags: &str) -> String {
        format!(
            "{range} rw-p 00000000 00:00 0 \nSize: 8192 kB\nAnonymous: {own} kB\n\
             AnonHugePages: {huge} kB\nVmFlags: rd wr mr {flags}\n"
        )
    }

    #[test]
    fn what_was_split_is_found() {
        let range = "7f0000000000-7f0000801000";
        let found = vec![(0x7f00_0000_0000, 0x7f00_0080_0000)];
        assert_eq!(split(&mapping(range, 8196, 4096, "hg"), false), found);
        assert_eq!(split(&mapping(range, 8196, 8192, "hg"), false), []);
        assert_eq!(split(&mapping(range, 8196, 4096, "ac"), false), []);
        assert_eq!(split(&mapping(range, 8196, 4096, "ac"), true), found);
    }

    #[test]
    fn memory_does_not_grow() {
        let range = "7f0000000000-7f0000801000";
        assert_eq!(split(&mapping(range, 4096, 2048, "hg"), true), []);
        let small = mapping("7f0000001000-7f0000101000", 1024, 0, "hg");
        assert_eq!(split(&small, true), []);
        let heap = mapping("7f0000001000-7f0000801000", 8192, 0, "") + &small;
        assert_eq!(split(&heap, true), [(0x7f00_0020_0000, 0x7f00_0080_0000)]);
    }

    #[test]
    fn what_is_in_memory_stays_as_it_is() {
        let large: Vec<u64> = (0..4 << 20).collect();
        collapse(&find());
        assert!(large.iter().copied().eq(0..4 << 20));
    }
}
