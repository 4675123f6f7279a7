//! Reads a shell command line and returns the commands it runs and the files it reads, writes and deletes.
//!
//! Three steps: `syntax` turns text into a tree, `walk` follows the tree as the
//! shell would without running anything, `programs` lists the effects of each
//! program on its words. The [`guard`] judges the result against rules.
//!
//! INVARIANT: no IO, no clock, no environment. Questions about the disk go
//! through [`Files`], which the caller provides.
//!
//! INVARIANT: when in doubt between safe and unknown, the answer is unknown.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "names on disk are compared as they are"
)]
#![expect(clippy::match_same_arms, reason = "arms are grouped by what they mean, not by what they return")]

pub mod breadth;
mod code;
mod git_state;
pub mod guard;
mod limits;
mod network;
mod path;
mod place;
mod programs;
mod reading;
mod secrets;
mod surroundings;
mod syntax;
mod tasks;
mod text;
mod walk;
mod windows;

pub use git_state::{GitAnswer, GitChange, GitStatus};
pub use limits::{MAX_CHARS, MAX_LEVELS, MAX_WORDS};
pub use path::{Certainty, PathUse};
pub use place::{Dialect, Files, Git, NoFiles, NoGit, Place, TypedInput};
pub use programs::folders::{FOLDERS as SYSTEM_BIN, is_of_the_system as is_system_bin};
pub use reading::{
    Arg, Class, Concern, Doubt, Origin, Outlet, Reading, Reason, Risk, ShellChanges, Simple, Site, Span, Stop,
};
pub use secrets::may_show_secret;
pub use surroundings::{Surroundings, surroundings};

/// Reads a command line as the shell of `place` would.
pub fn read(command: &str, place: &Place<'_>) -> Reading {
    let mut walker = walk::Walker::new(place);
    walker.set_line_length(command.len());
    // Bytes are an upper bound of characters; only a long line is counted.
    if command.len() > MAX_CHARS && command.chars().count() > MAX_CHARS {
        let stop = Stop { at: MAX_CHARS, what: "more than 131072 characters" };
        return walk::unreadable(walker.finish(), stop);
    }
    match place.dialect {
        Dialect::Posix => match walker.earlier(place.earlier).line(command) {
            Ok(()) => walker.finish(),
            Err(failure) => walk::unreadable(walker.finish(), Stop { at: failure.at, what: failure.what }),
        },
        Dialect::PowerShell | Dialect::Cmd => {
            windows::read(&mut walker, command, place.dialect);
            walker.windows_commands_ask_page();
            walker.finish()
        }
    }
}
