//! `init --approve MODE`: writes the setting, and says where it has no effect.

use config_file::jsonc::CstInputValue;
use host::Host;
use project_config::{ApproveMode, Config};

use super::config_value;
use crate::change::Writer;
use crate::commands::Place;
use crate::output;

/// Parses the value of the option.
pub(super) fn mode(text: &str) -> Result<ApproveMode, &'static str> {
    ApproveMode::parse(text).ok_or("use `read-only`, `in-scope` or `off`")
}

/// Returns whether the project approves calls, by the option or else by its settings.
pub(super) fn is_wanted(chosen: Option<ApproveMode>, place: &Place) -> bool {
    let of_settings = || {
        let config = Config::load(&place.workspace).unwrap_or_default();
        config.section(ApproveMode::SECTION).as_str().and_then(ApproveMode::parse).unwrap_or_default()
    };
    chosen.unwrap_or_else(of_settings) != ApproveMode::Off
}

/// Writes the setting to `config.json`.
pub(super) fn write(mode: ApproveMode, hosts: &[Host], place: &Place, writer: &mut Writer<'_>) {
    let value = CstInputValue::String(mode.as_str().to_owned());
    match config_value::planned(place, ApproveMode::SECTION, value) {
        Err(error) => writer.fail(&error),
        Ok(change) => {
            let is_news = !change.is_nothing();
            if writer.apply(&change) && is_news {
                let verb = if writer.writes() { "set" } else { "would be set" };
                output::note(&format!("✓ approve: {verb} to `{}` in {}", mode.as_str(), change.file));
            }
        }
    }
    if mode == ApproveMode::Off {
        return;
    }
    for host in hosts {
        if let Some(why) = dispatch::why_not_approved(*host) {
            output::note(&format!("  note: {} prompts as before: {why}", host.title()));
        }
    }
    if hosts.contains(&Host::Codex) {
        output::note(
            "  note: Codex asks only because of your rules and to leave its sandbox; steersman approves neither and saves few prompts",
        );
    }
}
