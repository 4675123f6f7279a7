//! `init --ask-wait SECONDS`: registers the longer timeouts, and writes the setting.

use config_file::jsonc::CstInputValue;
use host::Host;
use host::install::SettingsFile;
use project_config::{AskSettings, Config};

use super::config_value;
use crate::change::Writer;
use crate::commands::Place;
use crate::output;

/// Gives the hooks of these files the timeouts that they need to wait, by the option or else by the project's settings.
pub(super) fn apply(chosen: Option<u32>, place: &Place, files: &mut [SettingsFile]) {
    let of_settings = || {
        let config = Config::load(&place.workspace).unwrap_or_default();
        config.typed::<AskSettings>(AskSettings::SECTION).unwrap_or_default().wait
    };
    extend(chosen.unwrap_or_else(of_settings), files);
}

/// Gives the hooks of these files the timeouts that they need to wait this long.
pub(super) fn extend(seconds: u32, files: &mut [SettingsFile]) {
    let seconds = seconds.min(AskSettings::MAX_WAIT);
    if seconds == 0 {
        return;
    }
    for file in files {
        file.hooks = file.hooks.map(|plan| plan.with_wait(seconds));
    }
}

/// Writes the setting to `config.json`.
pub(super) fn write(seconds: u32, hosts: &[Host], place: &Place, writer: &mut Writer<'_>) {
    let value = CstInputValue::Object(vec![("wait".to_owned(), CstInputValue::Number(seconds.to_string()))]);
    match config_value::planned(place, AskSettings::SECTION, value) {
        Err(error) => writer.fail(&error),
        Ok(change) => {
            let is_news = !change.is_nothing();
            if writer.apply(&change) && is_news {
                let verb = if writer.writes() { "set" } else { "would be set" };
                output::note(&format!("✓ ask: `wait` {verb} to {seconds} in {}", change.file));
            }
        }
    }
    warn_of_codex(hosts);
    if seconds > 0 {
        output::note("  note: run `steersman ask` in a second terminal to answer");
    }
}

/// Warns that Codex does not run changed hooks until the user trusts them.
pub(super) fn warn_of_codex(hosts: &[Host]) {
    if hosts.contains(&Host::Codex) {
        output::note(
            "  note: Codex skips these hooks until you trust them again, because their timeout has changed: run `codex` here and answer \"Hooks need review\" with \"Trust all and continue\"",
        );
    }
}
