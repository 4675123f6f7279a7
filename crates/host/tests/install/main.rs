//! Registering with a host and taking it back, on whole settings files.

#![cfg(test)]

mod damaged_files;
mod doctor_reads;
mod golden;
mod own_entries;
mod round_trip;
mod server_round_trip;
mod servers;
mod settings_files;

use host::install::{Plan, Program, Removed};

/// Every plan there is, the one that must be asked for included.
fn plans() -> impl Iterator<Item = &'static Plan> {
    Plan::ALL.into_iter().chain([Plan::LEGACY])
}

/// The binary at two places.
fn programs() -> [Program; 2] {
    [Program::on_path(), Program::at("/opt/other place/steersman").unwrap()]
}

/// The text that is left, whatever becomes of the file.
fn left(removed: Removed, existing: &str) -> String {
    match removed {
        Removed::Nothing => existing.to_owned(),
        Removed::Text(text) | Removed::OnlyOurs { left: text } => text,
    }
}
