//! Setting a project up and looking after it, with the real binary.

#![cfg(test)]
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod completions;
mod doctor;
mod doctor_config;
mod init;
mod init_faults;
#[cfg(unix)]
mod intents;
mod module;
mod project;
mod uninstall;
