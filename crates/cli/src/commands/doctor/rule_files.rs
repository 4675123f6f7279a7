//! Rules that have no effect: their module is off, or they name an automation that does not exist; and intents that
//! permit nothing.

use automation::AutomationId;
use event::{AbsPath, plain_name};
use intent::{IntentsFile, WorkspaceIntents};
use project_config::{Config, FollowupAction, Manifest, UsableRules};
use store::Workspace;

use super::finding::{Finding, Mark};
use crate::commands::Place;
use crate::commands::automation::Applied;

/// Reports rules without effect and an intents file without intents.
pub(super) fn findings(manifest: &Manifest, place: &Place) -> Vec<Finding> {
    let workspace = &place.workspace;
    let mut findings: Vec<Finding> = files(workspace)
        .into_iter()
        .filter(|(path, module)| path.as_path().exists() && !is_on(manifest, module))
        .map(|(path, module)| without_module(&shown(workspace, &path), module))
        .collect();
    findings.extend(sections_without_module(manifest, workspace));
    findings.extend(unknown_automations(place));
    findings.extend(no_intents(workspace));
    findings
}

/// Lists the files that only one module reads.
fn files(workspace: &Workspace) -> [(AbsPath, &'static str); 2] {
    [(workspace.followup_rules_file(), "memory-activation"), (workspace.policy_file(), "rlm-work")]
}

/// Returns whether the manifest and the module's default let it run.
fn is_on(manifest: &Manifest, name: &str) -> bool {
    let by_default =
        || modules::ALL.iter().any(|module| module.profile().name == name && module.profile().on_by_default);
    manifest.modules.get(name).map_or_else(by_default, |entry| entry.enabled != Some(false))
}

fn without_module(file: &str, module: &str) -> Finding {
    let module = plain_name(module);
    Finding::new(Mark::Warning, format!("{file} has no effect: the module `{module}` is off"))
        .hint(format!("run `steersman module on {module}`"))
}

/// Reports sections of `config.json` whose module is off.
fn sections_without_module(manifest: &Manifest, workspace: &Workspace) -> Vec<Finding> {
    let Ok(config) = Config::load(workspace) else { return Vec::new() };
    let names = modules::ALL.iter().map(|module| module.profile().name);
    let unused: Vec<&str> = names
        .filter(|name| !config.section(name).is_null() && !is_on(manifest, name))
        .map(plain_name)
        .collect();
    let text = |names: &str| format!("config.json has settings of modules that are off: {names}");
    (!unused.is_empty()).then(|| Finding::new(Mark::Info, text(&unused.join(", ")))).into_iter().collect()
}

/// Reports follow-up rules that queue an automation that does not exist.
fn unknown_automations(place: &Place) -> Vec<Finding> {
    let Ok(rules) = UsableRules::load(&place.workspace) else { return Vec::new() };
    let Applied { configuration, .. } = Applied::read(place);
    let exists = |id: &str| configuration.automations().any(|it| AutomationId::as_str(&it.id) == id);
    let finding = |rule: &project_config::FollowupRule| match &rule.action {
        FollowupAction::EnqueueAutomation { automation } if !exists(automation) => {
            let text = format!(
                "the follow-up rule `{}` queues the automation `{automation}`, which does not exist",
                rule.id
            );
            Some(Finding::new(Mark::Warning, text).hint("run `steersman automation list` for a list"))
        }
        _ => None,
    };
    rules.rules.iter().filter_map(finding).collect()
}

fn no_intents(workspace: &Workspace) -> Option<Finding> {
    match WorkspaceIntents::of(workspace).read() {
        Ok(Some(intents)) if intents.intents.is_empty() => {
            let text = format!("{} lists no intents, so agents can write nothing here", IntentsFile::PATH);
            Some(Finding::new(Mark::Wrong, text).hint(
                "add one with `steersman intent new \"Login page\" --scope 'src/**' --select`, or remove the file",
            ))
        }
        Ok(_) => None,
        Err(error) => Some(
            Finding::new(Mark::Wrong, error.to_string())
                .hint("correct the file; until then agents can write nothing here"),
        ),
    }
}

fn shown(workspace: &Workspace, path: &AbsPath) -> String {
    path.below(workspace.root()).map_or_else(|_| path.to_string(), |path| path.to_string())
}
