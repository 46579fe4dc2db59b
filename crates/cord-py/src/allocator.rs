//! The allocator of native code.

use std::ffi::{c_int, c_long};

use mimalloc::MiMalloc;

/// Much of a call is allocated by the program's thread and freed by the dispatcher's: the C library's
/// allocator takes locks for that. Version 2 of mimalloc allocates without any, so that a child that
/// the program forks at whatever moment finds none held by a thread that it does not have.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

extern "C" {
    fn mi_option_get(option: c_int) -> c_long;
    fn mi_option_set(option: c_int, value: c_long);
    fn mi_process_init();
}

/// How much of the address space it reserves at a time, in KiB …
const ARENA_RESERVE: c_int = 23;
/// … if nobody says otherwise: a GiB, …
const USUAL: c_long = 1 << 20;
/// … which a program that is allowed few addresses (`ulimit -v`) has use for.
const LITTLE: c_long = 64 << 10;

/// After how many milliseconds memory that is free goes back to the system …
const PURGE_DELAY: c_int = 15;
/// … if nobody says otherwise, …
const SOON: c_long = 10;
/// … which is too soon for what each call takes and frees: its pages would have to be found anew.
const LATER: c_long = 100;

/// Whether it asks the system for huge pages, where the system gives them to who asks …
const HUGE_PAGES: c_int = 37;
/// … if nobody says otherwise, …
const YES: c_long = 1;
/// … which calls have no use for: they write little of what they have, and a run that lasts a tenth of a
/// second would spend some of it on zeros.
const NO: c_long = 0;

fn set(option: c_int, usual: c_long, ours: c_long) {
    // SAFETY: options are numbers, which can be asked for and set at any time.
    unsafe {
        if mi_option_get(option) == usual {
            mi_option_set(option, ours);
        }
    }
}

#[used]
#[link_section = ".init_array"]
static AT_LOADING: extern "C" fn() = choose;

extern "C" fn choose() {
    set(ARENA_RESERVE, USUAL, LITTLE);
    set(PURGE_DELAY, SOON, LATER);
    // SAFETY: it may be called at any time, and does nothing the second time.
    unsafe { mi_process_init() };
    // only from here on: before, it is taken to speak of the whole process, and of the program's arrays
    set(HUGE_PAGES, YES, NO);
}
