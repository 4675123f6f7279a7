//! Opens a link in the user's browser.

use std::process::{Command, Stdio};

/// The program that opens a link.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Opens a link. Returns why it cannot.
#[expect(
    clippy::disallowed_methods,
    reason = "the browser is the user's own program and outlives the server"
)]
pub(super) fn open(link: &str) -> Result<(), String> {
    let started = Command::new(OPENER)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.map(drop).map_err(|error| format!("cannot start `{OPENER}`: {error}"))
}
