//! Setting up and maintaining a project, with the real binary.

#![cfg(test)]
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod ask_wait;
mod completions;
mod docs;
mod docs_commands;
mod docs_page;
mod doctor;
mod doctor_config;
mod doctor_rules;
mod doctor_switches;
mod doctor_trust;
mod every_folder;
mod getting_started;
mod init;
mod init_faults;
mod init_shared;
#[cfg(unix)]
mod intents;
#[cfg(unix)]
mod managed;
mod module;
mod moved_settings;
mod newer_formats;
mod project;
mod recording;
mod uninstall;
