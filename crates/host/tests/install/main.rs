//! Tests of registering with a host and unregistering, with whole settings files.

#![cfg(test)]

mod damaged_files;
mod doctor_reads;
mod golden;
mod managed;
mod own_entries;
mod round_trip;
mod server_round_trip;
mod servers;
mod settings_files;

use host::install::{HookPlan, Program, Removed};

/// All plans, including the one that must be requested explicitly.
fn plans() -> impl Iterator<Item = &'static HookPlan> {
    HookPlan::ALL.into_iter().chain([HookPlan::LEGACY])
}

/// The binary at two locations.
fn programs() -> [Program; 2] {
    [Program::on_path(), Program::at("/opt/other place/steersman").unwrap()]
}

/// The remaining text, whether or not the file is deleted.
fn left(removed: Removed, existing: &str) -> String {
    match removed {
        Removed::Nothing => existing.to_owned(),
        Removed::Text(text) | Removed::OnlyOurs { left: text } => text,
    }
}
