//! `init --approve MODE`: writes the setting, and says where it has no effect.

use config_file::jsonc::{self, CstInputValue};
use host::Host;
use project_config::{ApproveMode, Config};

use super::defaults::CONFIG;
use crate::change::{Change, ChangeError, Writer};
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
    match planned(mode, place) {
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
            "  note: Codex asks only for rules of yours and to leave its sandbox, and neither is approved: few prompts are saved",
        );
    }
}

fn planned(mode: ApproveMode, place: &Place) -> Result<Change, ChangeError> {
    let workspace = &place.workspace;
    let path = workspace.config_file();
    let file = path.below(workspace.root()).map_or_else(|_| path.to_string(), |file| file.to_string());
    Change::plan(workspace, &file, |before| {
        let text = before.filter(|text| !text.trim().is_empty()).unwrap_or(CONFIG);
        let failed = |what: String| ChangeError::Content {
            what: format!("cannot edit `{file}`: {what}"),
            place: None,
            hint: "correct the file; steersman did not change it".to_owned(),
        };
        let root = jsonc::parse_editable(text).map_err(|error| failed(error.to_string()))?;
        let object = root.object_value_or_create().ok_or_else(|| failed("it is not an object".to_owned()))?;
        let value = CstInputValue::String(mode.as_str().to_owned());
        match object.get(ApproveMode::SECTION) {
            Some(property) => property.set_value(value),
            None => {
                object.append(ApproveMode::SECTION, value);
            }
        }
        Ok(Some(root.to_string()))
    })
}
