//! What settings were when changes were first listened to: replicas have these unless they are told.

use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStringExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;

/// How many kinds of limits Linux knows.
const KINDS_OF_LIMITS: u32 = 16;
const CATEGORIES: [i32; 6] = [
    libc::LC_CTYPE,
    libc::LC_COLLATE,
    libc::LC_TIME,
    libc::LC_MONETARY,
    libc::LC_MESSAGES,
    libc::LC_NUMERIC,
];

static START: OnceLock<Start> = OnceLock::new();
/// Replicas are not started with these.
static IS_SUSPECT: AtomicBool = AtomicBool::new(false);

/// What there was.
pub struct Start {
    /// Who listens: not its forked children.
    process: u32,
    /// Soft and hard.
    limits: Vec<(u64, u64)>,
    /// Users and groups: real, effective and saved, whether none are to be gained, and the other groups.
    credentials: Vec<u32>,
    zone: Vec<u8>,
    locale: Vec<CString>,
    context: Option<Py<PyAny>>,
}

impl Start {
    /// Notes it, the first time.
    pub fn of(py: Python<'_>) -> &'static Start {
        START.get_or_init(|| {
            // SAFETY: the thread is attached; a new reference or an error comes back.
            let copied = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyContext_CopyCurrent()) };
            Start {
                process: std::process::id(),
                limits: limits(),
                credentials: credentials(),
                zone: zone(),
                locale: locale(),
                context: copied.ok().map(Bound::unbind),
            }
        })
    }

    /// Whether this is the process that listens.
    pub fn is_own() -> bool {
        START
            .get()
            .is_some_and(|start| start.process == std::process::id())
    }

    /// From now on nothing is as at the start.
    pub fn suspect() {
        IS_SUSPECT.store(true, Ordering::Relaxed);
    }

    pub fn has_zone(zone: &[u8]) -> bool {
        START.get().is_some_and(|start| start.zone == zone)
    }

    pub fn has_other_credentials() -> bool {
        START
            .get()
            .is_some_and(|start| start.credentials != credentials())
    }
}

fn limits() -> Vec<(u64, u64)> {
    let limit = |kind| {
        let mut found = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: it writes to what it is given; a kind that is not known is left as it is.
        unsafe { libc::getrlimit(kind, &mut found) };
        (found.rlim_cur, found.rlim_max)
    };
    (0..KINDS_OF_LIMITS).map(limit).collect()
}

fn credentials() -> Vec<u32> {
    let mut found = vec![0; 7];
    let [real, effective, saved, group, of_group, saved_group, gains_none] = &mut found[..] else {
        return found;
    };
    // SAFETY: they write to what they are given.
    unsafe {
        libc::getresuid(real, effective, saved);
        libc::getresgid(group, of_group, saved_group);
        *gains_none = u32::from(has_no_new_privileges());
        let count = libc::getgroups(0, std::ptr::null_mut());
        let mut others = vec![0; usize::try_from(count).unwrap_or(0)];
        libc::getgroups(count.max(0), others.as_mut_ptr());
        found.extend(others);
    }
    found
}

/// Whether programs that this process starts gain no privileges.
#[pyfunction]
pub fn has_no_new_privileges() -> bool {
    // SAFETY: it only asks.
    unsafe { libc::prctl(libc::PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 }
}

/// They gain none from now on.
#[pyfunction]
pub fn want_no_new_privileges() {
    // SAFETY: it changes nothing in memory.
    unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
}

/// `TZ` as it is now, empty if it is not set.
pub fn zone() -> Vec<u8> {
    std::env::var_os("TZ").unwrap_or_default().into_vec()
}

fn locale() -> Vec<CString> {
    let name = |category| {
        // SAFETY: it only asks; the text is copied before anybody sets a locale, for the lock is held.
        let name = unsafe { libc::setlocale(category, std::ptr::null()) };
        // SAFETY: null, or a text that ends with a zero byte.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_owned())
    };
    CATEGORIES
        .into_iter()
        .map(|one| name(one).unwrap_or_default())
        .collect()
}

/// Whether replicas are started with other settings than these.
pub fn is_suspect() -> bool {
    IS_SUSPECT.load(Ordering::Relaxed)
}

/// The limits of this process as they were when changes were first listened to, soft and hard.
#[pyfunction]
pub fn limits_at_start(py: Python<'_>) -> Vec<(u64, u64)> {
    Start::of(py).limits.clone()
}

/// The locale as it was then: of `LC_CTYPE`, `LC_COLLATE`, `LC_TIME`, `LC_MONETARY`, `LC_MESSAGES` and
/// `LC_NUMERIC`; nothing if replicas may have another one.
#[pyfunction]
pub fn locale_at_start(py: Python<'_>) -> Vec<String> {
    if is_suspect() {
        return Vec::new();
    }
    let names = Start::of(py).locale.iter();
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// What context variables held then, as a context; none if replicas have other values.
#[pyfunction]
pub fn first_context(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    let start = START.get().filter(|_| !is_suspect());
    start?
        .context
        .as_ref()
        .map(|context| context.bind(py).clone())
}
