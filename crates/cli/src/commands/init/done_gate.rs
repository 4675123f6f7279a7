//! `init --done-gate SECONDS`: registers the time that acceptance commands need at a stop, and writes the setting.

use config_file::jsonc::CstInputValue;
use host::Host;
use host::install::SettingsFile;
use project_config::{Config, DoneGate};

use super::config_value;
use crate::change::Writer;
use crate::commands::Place;
use crate::output;

/// Gives the hooks of these files the time that the commands may take, by the option or else by the project's settings.
pub(super) fn apply(chosen: Option<u32>, place: &Place, files: &mut [SettingsFile]) {
    let of_settings = || {
        let config = Config::load(&place.workspace).unwrap_or_default();
        config.typed::<DoneGate>(DoneGate::SECTION).unwrap_or_default().seconds().unwrap_or(0)
    };
    let seconds = chosen.unwrap_or_else(of_settings);
    if seconds == 0 {
        return;
    }
    for file in files {
        file.hooks = file.hooks.map(|plan| plan.with_stop_time(seconds));
    }
}

/// Writes the setting to `config.json`.
pub(super) fn write(seconds: u32, hosts: &[Host], place: &Place, writer: &mut Writer<'_>) {
    let value = match seconds {
        0 => CstInputValue::Bool(false),
        DoneGate::DEFAULT_SECONDS => CstInputValue::Bool(true),
        other => CstInputValue::Number(other.to_string()),
    };
    match config_value::planned(place, DoneGate::SECTION, value) {
        Err(error) => writer.fail(&error),
        Ok(change) => {
            let is_news = !change.is_nothing();
            if writer.apply(&change) && is_news {
                let verb = if writer.writes() { "set" } else { "would be set" };
                let to = if seconds == 0 { "off".to_owned() } else { format!("{seconds} s") };
                output::note(&format!("✓ {}: {verb} to {to} in {}", DoneGate::SECTION, change.file));
            }
        }
    }
    if seconds == 0 {
        return;
    }
    if hosts.contains(&Host::Codex) {
        output::note(
            "  note: Codex skips these hooks until you trust them again, because their timeout has changed: run `codex` here and answer \"Hooks need review\" with \"Trust all and continue\"",
        );
    }
    output::note(
        "  note: write the commands as `- run: COMMAND` below `acceptance_criteria` of an intent, then run `steersman trust`",
    );
}
