//! Libraries that compute on threads of their own. Those threads are not in a copy, which would wait for
//! them in vain: so there the libraries are told to compute on the one that asks.

use std::ffi::{c_char, c_int, c_long, c_void, CStr};

/// A function of a library that says how many threads it may use.
struct Knob {
    /// What the library's file name contains.
    library: &'static [u8],
    symbols: &'static [&'static CStr],
    set: fn(*mut c_void),
}

const KNOBS: &[Knob] = &[
    Knob {
        library: b"openblas",
        symbols: &[
            c"openblas_set_num_threads",
            c"openblas_set_num_threads64_",
            c"scipy_openblas_set_num_threads",
            c"scipy_openblas_set_num_threads64_",
        ],
        set: one_thread,
    },
    Knob {
        library: b"libmkl_rt",
        symbols: &[c"MKL_Set_Num_Threads"],
        set: one_thread,
    },
    Knob {
        library: b"libblis",
        symbols: &[c"bli_thread_set_num_threads"],
        set: one_long_thread,
    },
    // no region is made parallel, whatever number of threads it asks for
    Knob {
        library: b"libgomp",
        symbols: OPENMP,
        set: no_levels,
    },
    Knob {
        library: b"libiomp",
        symbols: OPENMP,
        set: no_levels,
    },
    Knob {
        library: b"libomp",
        symbols: OPENMP,
        set: no_levels,
    },
];
const OPENMP: &[&CStr] = &[c"omp_set_max_active_levels"];

fn one_thread(function: *mut c_void) {
    // SAFETY: what stands under these names takes a C integer.
    let set: extern "C" fn(c_int) = unsafe { std::mem::transmute(function) };
    set(1);
}

fn one_long_thread(function: *mut c_void) {
    // SAFETY: what stands under this name takes the library's own integer, which is a long one.
    let set: extern "C" fn(c_long) = unsafe { std::mem::transmute(function) };
    set(1);
}

fn no_levels(function: *mut c_void) {
    // SAFETY: the standard says what it takes.
    let set: extern "C" fn(c_int) = unsafe { std::mem::transmute(function) };
    set(0);
}

/// In a copy: tells all libraries that are loaded.
pub fn work_alone() {
    let mut found: Vec<(Vec<u8>, &'static Knob)> = Vec::new();
    // SAFETY: the callback gets what is passed here, and is done when this returns.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    for (path, knob) in found {
        turn(&path, knob);
    }
}

/// Notes a library that is loaded, if it has such a function.
unsafe extern "C" fn note(
    about: *mut libc::dl_phdr_info,
    _: libc::size_t,
    found: *mut c_void,
) -> c_int {
    // SAFETY: the loader passes a description that is there meanwhile, and what `work_alone` passed.
    let (name, found) = unsafe {
        let found = &mut *found.cast::<Vec<(Vec<u8>, &'static Knob)>>();
        let name: *const c_char = (*about).dlpi_name;
        if name.is_null() {
            return 0;
        }
        (CStr::from_ptr(name), found)
    };
    if let Some(knob) = knob_of(name.to_bytes()) {
        found.push((name.to_bytes_with_nul().to_vec(), knob));
    }
    0
}

fn knob_of(path: &[u8]) -> Option<&'static Knob> {
    let name = path.rsplit(|byte| *byte == b'/').next()?;
    let is_of = |knob: &&Knob| {
        let mut parts = name.windows(knob.library.len());
        parts.any(|part| part == knob.library)
    };
    KNOBS.iter().find(is_of)
}

fn turn(path: &[u8], knob: &Knob) {
    // SAFETY: a library that is loaded already is only found again; its path ends with a zero byte.
    unsafe {
        let flags = libc::RTLD_NOLOAD | libc::RTLD_LAZY;
        let library = libc::dlopen(path.as_ptr().cast(), flags);
        if library.is_null() {
            return;
        }
        for symbol in knob.symbols {
            let function = libc::dlsym(library, symbol.as_ptr());
            if !function.is_null() {
                (knob.set)(function);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_known_by_their_file_names() {
        let known = |path: &str| knob_of(path.as_bytes()).map(|knob| knob.symbols[0]);
        let wheel = "/site-packages/numpy.libs/libscipy_openblas64_-8fb3d286.so";
        assert_eq!(known(wheel), Some(c"openblas_set_num_threads"));
        assert_eq!(known("/lib/libgomp.so.1"), Some(OPENMP[0]));
        assert_eq!(known("/torch/lib/libgomp-a34b3233.so.1"), Some(OPENMP[0]));
        assert_eq!(known("/lib/libc.so.6"), None);
        assert_eq!(known("/opt/openblas/libother.so"), None);
        assert_eq!(known(""), None);
    }

    #[test]
    fn nothing_happens_where_there_are_none() {
        work_alone();
    }
}
