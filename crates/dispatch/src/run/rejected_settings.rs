//! Settings of the project that a command of an agent wrote: they do not turn off the intents that govern its session.
//!
//! The end of the call, or of its turn, reports the change and rejects this version of the settings. Until a person changes them, or selects
//! an intent, the built-in modules run as if the manifest did not list them, and with their default settings.

use event::{AbsPath, Event, EventName};
use intent::Coverage;
use modules::{IntentSettings, Module};
use project_config::{Config, Manifest};
use session::OpenSession;
use session::person::PersonChanges;
use store::Workspace;

/// Returns the settings that count.
pub(super) fn accepted(
    (mut manifest, config): (Manifest, Config),
    modules: &[&dyn Module],
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    session: &OpenSession,
    event: &Event,
) -> (Manifest, Config) {
    let is_builtin = |name: &str| modules.iter().any(|module| module.profile().name == name);
    let changes_builtin = manifest.modules.keys().any(|name| is_builtin(name));
    // Most projects leave both alone.
    if !changes_builtin && config.section(IntentSettings::SECTION).is_null() {
        return (manifest, config);
    }
    let Some(user_state) = user_state else { return (manifest, config) };
    let settings = [workspace.manifest_file(), workspace.config_file()];
    // A job that a command left behind may have written them since the last search.
    let is_written_since = || {
        Coverage::read(&session.dir.scan_coverage())
            .is_some_and(|(coverage, _)| coverage.has_other_content(workspace.root(), &settings))
    };
    if PersonChanges::read(workspace, user_state).reject_settings_of(workspace) || is_written_since() {
        manifest.modules.retain(|name, _| !is_builtin(name));
        return (manifest, Config::default());
    }
    // The end of a call that began under an intent is reported, whatever the call did to the manifest.
    let has_ended = event.name() != EventName::PreToolUse;
    let runs_call =
        || std::fs::metadata(session.dir.pending_calls().as_path()).is_ok_and(|meta| meta.len() > 0);
    let is_governed = || workspace.governed_session(user_state, session.id).as_path().exists();
    if has_ended && changes_builtin && is_governed() && runs_call() {
        manifest.modules.remove(IntentSettings::SECTION);
    }
    (manifest, config)
}
