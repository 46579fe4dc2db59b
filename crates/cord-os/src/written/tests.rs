//! Each test is about memory of its own: the kernel's marks are those of one process, and so are all
//! watches.

#![allow(clippy::single_range_in_vec_init)] // one stretch of pages is what is meant

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use memmap2::{Advice, MmapMut, MmapOptions, RemapOptions, UncheckedAdvice};

use super::*;

const PAGE: usize = 4096;
const PAGES: usize = 1200;

/// Whether there is something to test; the reason is told where there is not.
fn is_told() -> bool {
    if !writes_are_told() {
        let why = kernel::Kernel::open().unwrap_err();
        println!("skipped: this kernel does not tell writes here ({why})");
    }
    writes_are_told()
}

fn memory() -> MmapMut {
    let mut map = MmapMut::map_anon(PAGES * PAGE).unwrap();
    map.fill(1);
    map
}

fn tracked(memory: &[u8]) -> Tracked {
    let tracked = Tracked::new(memory).expect("it can be watched");
    assert_eq!(places(&tracked), []);
    tracked
}

/// Which pages may have been written; they count as unwritten again.
fn places(tracked: &Tracked) -> Vec<Range<usize>> {
    let written = tracked.written().expect("it is watched");
    tracked.confirm(&written);
    let page = |range: &Range<usize>| range.start / PAGE..range.end.div_ceil(PAGE);
    written.places.iter().map(page).collect()
}

#[test]
fn pages_that_were_written_are_told_once() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let tracked = tracked(&memory);
    memory[5 * PAGE] = 1;
    memory[6 * PAGE + 7] = 2;
    memory[PAGES * PAGE - 1] = 3;
    assert_eq!(places(&tracked), [5..7, PAGES - 1..PAGES]);
    assert_eq!(places(&tracked), []);
    memory[5 * PAGE] = 9;
    assert_eq!(places(&tracked), [5..6]);
}

#[test]
fn more_stretches_than_are_asked_for_at_once_are_all_told() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let tracked = tracked(&memory);
    for page in (0..PAGES).step_by(3) {
        memory[page * PAGE] = 2;
    }
    let all: Vec<_> = (0..PAGES).step_by(3).map(|page| page..page + 1).collect();
    assert_eq!(places(&tracked), all);
    assert_eq!(places(&tracked), []);
}

#[test]
fn what_the_kernel_writes_is_told() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let tracked = tracked(&memory);
    let (mut one, mut other) = UnixStream::pair().unwrap();
    one.write_all(b"news").unwrap();
    let at = 7 * PAGE;
    other.read_exact(&mut memory[at..at + 4]).unwrap();
    assert_eq!(places(&tracked), [7..8]);
}

#[test]
fn what_is_not_confirmed_is_told_again() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let tracked = tracked(&memory);
    memory[0] = 2;
    let first = tracked.written().unwrap();
    memory[3 * PAGE] = 2;
    let second = tracked.written().unwrap();
    tracked.confirm(&first); // it is older than the second write
    assert_eq!(second.places.len(), 2);
    assert_eq!(places(&tracked), [0..1, 3..4]);
    assert_eq!(places(&tracked), []);
}

#[test]
fn memory_that_two_watch_is_told_to_both() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let whole = tracked(&memory);
    let part = tracked(&memory[100 * PAGE + 10..200 * PAGE]);
    assert_eq!(places(&whole), [100..200], "it was marked anew");
    memory[150 * PAGE] = 2;
    memory[300 * PAGE] = 2;
    assert_eq!(places(&whole), [150..151, 300..301]);
    let part_of = part.written().unwrap().places;
    assert_eq!(part_of, [50 * PAGE - 10..51 * PAGE - 10]);
    assert_eq!(places(&whole), []);
    drop(part);
    memory[160 * PAGE] = 2;
    assert_eq!(places(&whole), [160..161]);
}

#[test]
fn pages_at_the_ends_are_told_within_the_memory() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let (start, end) = (PAGE + 100, 9 * PAGE + 100);
    let tracked = tracked(&memory[start..end]);
    memory[PAGE] = 2; // beside it, on the same page
    memory[end + 1] = 2;
    let written = tracked.written().unwrap().places;
    assert_eq!(written, [0..PAGE - 100, 8 * PAGE - 100..end - start]);
}

#[test]
fn what_was_given_back_to_the_system_is_told() {
    if !is_told() {
        return;
    }
    let memory = memory();
    let tracked = tracked(&memory);
    let (at, len) = (20 * PAGE, 30 * PAGE);
    // SAFETY: what lies there is not needed.
    unsafe { memory.unchecked_advise_range(UncheckedAdvice::DontNeed, at, len) }.unwrap();
    assert_eq!(places(&tracked), [20..50]);
    assert_eq!(
        places(&tracked),
        [20..50],
        "until somebody has looked what lies there"
    );
    assert!(memory[at..at + len].iter().all(|byte| *byte == 0));
    assert_eq!(places(&tracked), []);
}

#[test]
fn huge_pages_are_told_too() {
    if !is_told() {
        return;
    }
    let mut memory = MmapMut::map_anon(8 << 20).unwrap();
    let _ = memory.advise(Advice::HugePage);
    memory.fill(1);
    let tracked = tracked(&memory);
    let at = (5 << 20) + 3;
    memory[at] = 2;
    assert_eq!(places(&tracked), [at / PAGE..at / PAGE + 1]);
    memory.fill(2);
    assert_eq!(places(&tracked), [0..(8 << 20) / PAGE]);
    let _ = memory.advise(Advice::HugePage);
    assert_eq!(places(&tracked), []);
}

#[test]
fn other_memory_at_the_same_place_is_unknown() {
    if !is_told() {
        return;
    }
    let memory = memory();
    let tracked = tracked(&memory);
    let middle = memory[40 * PAGE..].as_ptr().cast_mut().cast();
    // SAFETY: the pages are this test's own, and are mapped again in the same place.
    unsafe {
        let (rights, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
        );
        let mapped = libc::mmap(middle, PAGE, rights, flags, -1, 0);
        assert_eq!(mapped, middle);
    }
    assert!(tracked.written().is_none());
    assert!(tracked.written().is_none(), "nor is it known later");
    assert!(Tracked::new(&memory).is_some());
}

#[test]
fn memory_that_moved_is_unknown_and_can_be_watched_there() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let place = memory.as_ptr() as usize;
    let _before = tracked(&memory);
    let beside = (place + PAGES * PAGE) as *mut libc::c_void;
    // SAFETY: it has no effect where something lies already, and is given back with the process.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        libc::mmap(beside, PAGE, libc::PROT_NONE, flags, -1, 0);
    }
    // SAFETY: nobody has its address but the watch, which does not use it.
    unsafe {
        let may_move = RemapOptions::new().may_move(true);
        memory.remap(3 * PAGES * PAGE, may_move).unwrap();
    }
    assert_ne!(memory.as_ptr() as usize, place);
    memory.fill(4);
    let again = Tracked::new(&memory).unwrap();
    memory[11 * PAGE] = 5;
    assert_eq!(places(&again), [11..12]);
}

#[test]
fn what_others_can_write_is_not_watched() {
    let path = std::env::temp_dir().join(format!("written-{}", std::process::id()));
    std::fs::write(&path, vec![1; PAGES * PAGE]).unwrap();
    let file = std::fs::File::open(&path).unwrap();
    // SAFETY: nobody shrinks the file.
    let private = unsafe { MmapOptions::new().map_copy(&file).unwrap() };
    std::fs::remove_file(&path).unwrap();
    assert!(Tracked::new(&private).is_none(), "a file's");
    // SAFETY: a shared mapping of its own.
    let common = unsafe {
        let (rights, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
        );
        let place = libc::mmap(std::ptr::null_mut(), PAGE, rights, flags, -1, 0);
        std::slice::from_raw_parts(place.cast::<u8>(), PAGE)
    };
    assert!(Tracked::new(common).is_none(), "shared with children");
    assert!(Tracked::new(&[]).is_none());
}

#[test]
fn a_forked_child_knows_nothing_and_the_parent_all() {
    if !is_told() {
        return;
    }
    let mut memory = memory();
    let tracked = tracked(&memory);
    memory[PAGE] = 2;
    // SAFETY: the child does nothing but ask, and ends.
    let child = unsafe { libc::fork() };
    if child == 0 {
        memory[2 * PAGE] = 3;
        // not `written`: another test's thread may have held the lock
        let code = i32::from(std::process::id() == tracked.process.0);
        // SAFETY: nothing is left to be done.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: it is this process's child.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(status, 0);
    memory[3 * PAGE] = 3;
    assert_eq!(places(&tracked), [1..2, 3..4]);
    assert_eq!((memory[2 * PAGE], memory[3 * PAGE]), (1, 3));
}

#[test]
fn another_thread_that_writes_is_never_missed() {
    if !is_told() {
        return;
    }
    let memory = memory();
    let tracked = tracked(&memory);
    let place = memory.as_ptr() as usize;
    let writer = std::thread::spawn(move || {
        for round in 0..2000_usize {
            let at = round * 37 % PAGES * PAGE;
            // SAFETY: the memory outlives the thread; a write of one byte is whole.
            unsafe { std::ptr::write_volatile((place + at) as *mut u8, round as u8) };
        }
    });
    // SAFETY: it is within the memory; a read of one byte is whole.
    let read = |at: usize| unsafe { std::ptr::read_volatile((place + at) as *const u8) };
    let mut copy = vec![1; PAGES];
    let look = |copy: &mut Vec<u8>| {
        for range in places(&tracked) {
            for page in range {
                copy[page] = read(page * PAGE);
            }
        }
    };
    while !writer.is_finished() {
        look(&mut copy);
    }
    writer.join().unwrap();
    look(&mut copy);
    for (page, byte) in copy.iter().enumerate() {
        assert_eq!(*byte, read(page * PAGE), "page {page}");
    }
}

#[test]
fn the_oldest_makes_room() {
    if !is_told() {
        return;
    }
    let memory = memory();
    let page = |number: usize| &memory[number * PAGE..(number + 1) * PAGE];
    let mut all = All::of((std::process::id(), false)); // not those of the other tests
    let mut made: Vec<Tracked> = (0..=MOST)
        .map(|number| all.watch(page(number)).unwrap())
        .collect();
    assert_eq!(all.watches.len(), MOST);
    assert!(all.written(&made[0]).is_none());
    assert!(all.written(&made[1]).is_some());
    made.push(all.watch(page(0)).unwrap());
    assert!(all.written(&made[1]).is_some(), "it was looked at last");
    assert!(all.written(&made[2]).is_none());
}
