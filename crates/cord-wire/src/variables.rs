//! Variables of the environment that tell of a terminal, a login or a job. They say nothing of what a call gives,
//! unless it reads them: then they are among what it has read.

use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

const NAMES: &str = "_ SHLVL PWD OLDPWD TERM COLORTERM COLUMNS LINES WINDOWID WINDOW STY XDG_RUNTIME_DIR XDG_VTNR \
    DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID GPG_AGENT_INFO DISPLAY WAYLAND_DISPLAY PS1 \
    PROMPT_COMMAND PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED CI";
const STARTS: &str =
    "TERM_ SSH_ XDG_SESSION_ VSCODE_ ITERM_ KITTY_ WEZTERM_ TMUX GITHUB_ RUNNER_ CI_ GITLAB_ \
    BUILDKITE_ CIRCLE_ TRAVIS_ JENKINS_ BUILD_ SLURM_ PBS_ PYTEST_ CORD_";
/// One of these that counts for all calls.
const SALT: &str = "CORD_KEEP_SALT";

/// Whether a variable counts only for calls that read it.
pub fn passes(name: &[u8]) -> bool {
    let is = |one: &str| one.as_bytes() == name;
    !is(SALT)
        && (NAMES.split(' ').any(is)
            || STARTS
                .split(' ')
                .any(|start| name.starts_with(start.as_bytes())))
}

/// What this process has in a variable, or, of none, in all that pass.
pub fn now(name: &OsStr) -> Vec<u8> {
    if !name.is_empty() {
        let value = env::var_os(name);
        return value.map_or_else(Vec::new, |value| [b"=", value.as_bytes()].concat());
    }
    let all = env::vars_os().filter(|(name, _)| passes(name.as_bytes()));
    let mut all: Vec<_> = all
        .map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes(), b"\0"].concat())
        .collect();
    all.sort();
    all.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_passes_and_settings_do_not() {
        for name in ["TERM", "_", "SLURM_JOB_ID", "CI", "CORD_X"] {
            assert!(passes(name.as_bytes()), "{name}");
        }
        for name in ["TZ", "HOME", "CORD_KEEP_SALT", "TERMS", ""] {
            assert!(!passes(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn an_empty_variable_is_another_than_none() {
        assert_eq!(now(OsStr::new("SLURM_NONE")), b"");
        assert!(now(OsStr::new("PATH")).starts_with(b"="));
    }
}
