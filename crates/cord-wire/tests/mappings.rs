//! How many mappings received memory takes. Alone in its process, for it counts them all.

use cord_wire::segment::{Segment, SHARED_FROM};

const LARGE: usize = 256 * 1024;

fn mappings() -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    maps.lines()
        .filter(|line| line.contains("memfd:cord"))
        .count()
}

fn most() -> usize {
    let most = std::fs::read_to_string("/proc/sys/vm/max_map_count").unwrap();
    most.trim().parse().unwrap()
}

#[test]
fn whatever_is_kept_the_program_has_most_of_the_mappings() {
    let small = Segment::copy_from(&vec![3; SHARED_FROM - 1]).unwrap();
    let before = mappings();
    let copies: Vec<Segment> = (0..200).map(|_| small.open().unwrap()).collect();
    assert_eq!(mappings(), before, "small ones are copied");
    assert!(copies.iter().all(|one| one.bytes().unwrap()[9] == 3));

    let large = Segment::copy_from(&vec![7; LARGE]).unwrap();
    let mut kept = Vec::new();
    for _ in 0..most() / 8 + 20 {
        kept.push(large.open().unwrap());
    }
    // each may have a page beside it that guards its file
    assert!(mappings() <= before + most() / 4 + 2);
    let last = kept.last().unwrap();
    // SAFETY: nobody else has this memory.
    unsafe { *last.private_mut().unwrap() = 8 };
    assert_eq!(last.bytes().unwrap()[..2], [8, 7]);
    assert!(kept[..10]
        .iter()
        .chain([&large])
        .all(|one| one.bytes().unwrap()[0] == 7));
    drop(kept);
    let before = mappings();
    let again = large.open().unwrap();
    assert!(mappings() > before, "there is room again");
    drop(again);
}
