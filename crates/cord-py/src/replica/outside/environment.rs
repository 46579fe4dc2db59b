//! Which variables of the environment a call reads: `os.environ` encodes and decodes names by two functions of its own.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::Once;

use cord_wire::variables::passes;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction};

use super::{heeding, reads, under};

/// What asks for the names of all variables, only to look for those of proxies.
const ONLY_PROXIES: &str = "getproxies_environment";
/// So many frames above the one that decodes a name it may be.
const ABOVE: usize = 3;

/// Has each read of a variable noted from now on, in this process.
pub fn listen(py: Python<'_>) -> PyResult<()> {
    static LISTENING: Once = Once::new();
    let os = py.import("os")?;
    let mut done = Ok(());
    LISTENING.call_once(|| {
        done = ["environ", "environb"].iter().try_for_each(|name| {
            let environment = os.getattr(*name)?;
            precede(&environment, "encodekey", |name| {
                if let Ok(encoded) = name.extract::<&[u8]>() {
                    note(name.py(), encoded);
                }
            })?;
            // all names are about to be gone through
            precede(&environment, "decodekey", |name| note(name.py(), b""))
        });
    });
    done
}

/// Has a function of the environment's note the encoded name that it is given, or gives.
fn precede(
    environment: &Bound<'_, PyAny>,
    function: &str,
    note: fn(&Bound<'_, PyAny>),
) -> PyResult<()> {
    let py = environment.py();
    let plain = environment.getattr(function)?.unbind();
    let ours = PyCFunction::new_closure(py, None, None, move |args, _| {
        let py = args.py();
        let made = plain.bind(py).call1(args)?;
        heeding(|_| {
            let given = args.get_item(0);
            let name = if made.is_instance_of::<PyBytes>() {
                Ok(made.clone())
            } else {
                given
            };
            if let Ok(name) = name {
                note(&name);
            }
        });
        PyResult::Ok(made.unbind())
    })?;
    environment.setattr(function, ours)
}

fn note(py: Python<'_>, name: &[u8]) {
    let counts = || (name.is_empty() || passes(name)) && !is_for_proxies(py);
    // SAFETY: whoever encodes a name has the lock.
    if let Some(under) = unsafe { under() }.filter(|_| counts()) {
        under.seen().reads.note_variable(OsStr::from_bytes(name));
    }
}

fn is_for_proxies(py: Python<'_>) -> bool {
    let mut frame = reads::frame(py);
    for _ in 0..=ABOVE {
        let Some(here) = frame else {
            return false;
        };
        let name = here
            .getattr("f_code")
            .and_then(|code| code.getattr("co_name"));
        if name.is_ok_and(|name| name.eq(ONLY_PROXIES).unwrap_or(false)) {
            return true;
        }
        frame = here.getattr("f_back").ok().filter(|above| !above.is_none());
    }
    false
}
