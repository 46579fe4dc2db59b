//! What `cord --version` tells of the build. Of the commit the one who builds tells, by CORD_COMMIT:
//! a build that asked git for it would have to be made anew after each commit to be right.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CORD_COMMIT");
    tell("CORD_COMMIT", env::var("CORD_COMMIT").unwrap_or_default());
    tell("CORD_TARGET", env::var("TARGET").unwrap_or_default());
    tell("CORD_PROFILE", env::var("PROFILE").unwrap_or_default());
    tell("CORD_RUSTC", rustc().unwrap_or_default());
}

fn tell(name: &str, value: String) {
    println!("cargo::rustc-env={name}={}", value.trim());
}

/// The compiler's version, as `1.95.0`.
fn rustc() -> Option<String> {
    let told = Command::new(env::var_os("RUSTC")?)
        .arg("--version")
        .output()
        .ok()?;
    let text = String::from_utf8(told.stdout).ok()?;
    text.split_whitespace().nth(1).map(String::from)
}
