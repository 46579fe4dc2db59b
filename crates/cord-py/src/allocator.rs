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
}

/// How much of the address space it reserves at a time, in KiB …
const ARENA_RESERVE: c_int = 23;
/// … if nobody says otherwise: a GiB, …
const USUAL: c_long = 1 << 20;
/// … which a program that is allowed few addresses (`ulimit -v`) has use for.
const LITTLE: c_long = 64 << 10;

#[used]
#[link_section = ".init_array"]
static AT_LOADING: extern "C" fn() = reserve_little;

extern "C" fn reserve_little() {
    // SAFETY: options are numbers, which can be asked for and set at any time.
    unsafe {
        if mi_option_get(ARENA_RESERVE) == USUAL {
            mi_option_set(ARENA_RESERVE, LITTLE);
        }
    }
}
