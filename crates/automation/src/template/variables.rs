//! The variables of templates: their triggers and their values.

use std::collections::BTreeMap;
use std::path::Path;

use event::AbsPath;
use serde_json::Value;
use store::Timestamp;

use crate::{Occurrence, OccurrenceKind, Timing, Trigger};

/// A variable of templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name, without braces.
    pub name: &'static str,
    /// Its meaning.
    pub description: &'static str,
    /// The triggers for which it has a value.
    pub available_for: Availability,
    /// Whether it always has a value for these.
    pub required: bool,
}

/// The triggers for which a variable has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// All triggers.
    Always,
    /// Triggers about a file.
    Files,
    /// Renamed files.
    Renames,
    /// Schedules.
    Schedules,
    /// Changes of a specification's status, and operations on a specification.
    Specs,
    /// Commits.
    Commits,
    /// Operations of the specification agents.
    Operations,
    /// Events of agent programs.
    Hosts,
}

impl Variable {
    /// Every variable.
    pub const ALL: &[Self] = &[
        always("timestamp", "when it happened, as ISO 8601", true),
        always("triggerType", "the trigger, such as `file-save` or `clarify`", true),
        always("user", "the user's name, from git's configuration", false),
        always("branch", "the current branch", false),
        always(
            "feature",
            "the branch without its leading number: `hooks-module` of `001-hooks-module`",
            false,
        ),
        always(
            "changeAuthor",
            "the user whom git names, else the agent program, else the user of the system",
            false,
        ),
        of(Availability::Files, "filePath", "the file, as an absolute path"),
        of(Availability::Files, "fileName", "its name with its extension"),
        of(Availability::Files, "fileExt", "its extension, without the dot"),
        of(Availability::Files, "fileDir", "the folder it is in, as an absolute path"),
        of(Availability::Files, "files", "all files of a batch, one absolute path per line; else the file"),
        of(Availability::Files, "fileCount", "how many files these are"),
        of(Availability::Renames, "oldFilePath", "the name before, as an absolute path"),
        of(Availability::Schedules, "dueTime", "the time of the schedule, as ISO 8601"),
        optional(Availability::Specs, "specId", "the specification, by the name of its folder"),
        optional(Availability::Specs, "specPath", "its file, as an absolute path"),
        optional(Availability::Specs, "oldStatus", "its status before"),
        optional(Availability::Specs, "newStatus", "its status now"),
        of(Availability::Commits, "commitHash", "the commit"),
        of(Availability::Commits, "commitKind", "`commit`, `amend`, `merge` or `rebase`"),
        of(Availability::Commits, "repoRoot", "the repository, as an absolute path"),
        of(Availability::Operations, "agent", "`speckit` or `openspec`"),
        of(Availability::Operations, "operation", "one of the fourteen operations"),
        of(Availability::Operations, "timing", "`before` or `after`"),
        of(Availability::Hosts, "eventName", "one of the eight events"),
        optional(Availability::Hosts, "hostName", "the agent program"),
        optional(Availability::Hosts, "sessionId", "the session"),
        optional(Availability::Hosts, "toolName", "the tool, for events about one"),
    ];
}

const fn always(name: &'static str, description: &'static str, required: bool) -> Variable {
    Variable { name, description, available_for: Availability::Always, required }
}

const fn of(available_for: Availability, name: &'static str, description: &'static str) -> Variable {
    Variable { name, description, available_for, required: true }
}

const fn optional(available_for: Availability, name: &'static str, description: &'static str) -> Variable {
    Variable { name, description, available_for, required: false }
}

/// Returns the variables of a trigger. Returns `None` for a custom trigger: the caller of `emit`
/// chooses its variables.
pub fn available(trigger: &Trigger) -> Option<Vec<&'static Variable>> {
    let special: &[Availability] = match trigger {
        Trigger::FileSaved { .. }
        | Trigger::FileWillBeSaved { .. }
        | Trigger::FileCreated { .. }
        | Trigger::FileDeleted { .. } => &[Availability::Files],
        Trigger::FileRenamed { .. } => &[Availability::Files, Availability::Renames],
        Trigger::Schedule { .. } => &[Availability::Schedules],
        Trigger::SpecStatus { .. } => &[Availability::Files, Availability::Specs],
        Trigger::Commit { .. } => &[Availability::Commits],
        Trigger::Operation { .. } => &[Availability::Operations, Availability::Specs],
        Trigger::Host { .. } => &[Availability::Hosts],
        Trigger::Custom { .. } => return None,
    };
    let is_available = |variable: &&Variable| {
        variable.available_for == Availability::Always
            || special.contains(&variable.available_for)
            || (matches!(variable.name, "sessionId" | "hostName") && is_of_a_session(trigger))
    };
    Some(Variable::ALL.iter().filter(is_available).collect())
}

const fn is_of_a_session(trigger: &Trigger) -> bool {
    matches!(trigger, Trigger::Operation { .. })
}

/// Returns the values for an occurrence. They include its own values (`user`, `branch`, the data of
/// `emit`), which never override the computed ones.
pub fn context(occurrence: &Occurrence, root: &AbsPath) -> BTreeMap<String, String> {
    let mut values = occurrence.values.clone();
    if let OccurrenceKind::Custom { data, .. } = &occurrence.kind {
        for (name, value) in data {
            values.insert(name.clone(), plain(value));
        }
    }
    // An empty value counts as missing: the caller of `emit` may know it, or the engine looks it up.
    let mut put = |name: &str, value: &str| {
        if !value.is_empty() {
            values.insert(name.to_owned(), value.to_owned());
        }
    };
    put("timestamp", &occurrence.ts.to_string());
    put("triggerType", &trigger_type(&occurrence.kind));
    if let Some(file) = occurrence.file() {
        let path = root.join(file);
        put("filePath", &path.to_string());
        put("fileName", &part(path.as_path().file_name().map(Path::new)));
        put("fileExt", &part(path.as_path().extension().map(Path::new)));
        put("fileDir", &part(path.as_path().parent()));
        let files: Vec<String> = occurrence.files.iter().map(|file| root.join(file).to_string()).collect();
        put("fileCount", &files.len().max(1).to_string());
        put("files", &if files.is_empty() { path.to_string() } else { files.join("\n") });
    }
    match &occurrence.kind {
        OccurrenceKind::SpecStatus { spec_id, path, old_status, new_status, change_author } => {
            put("specId", spec_id);
            put("specPath", &root.join(path).to_string());
            put("newStatus", new_status);
            put("oldStatus", old_status.as_deref().unwrap_or_default());
            put("changeAuthor", change_author.as_deref().unwrap_or_default());
        }
        OccurrenceKind::Commit { repo_root, commit, how, branch } => {
            put("commitHash", commit);
            put("commitKind", how.as_str());
            put("repoRoot", repo_root);
            if let Some(branch) = branch {
                put("branch", branch);
            }
        }
        OccurrenceKind::Operation { agent, operation, timing, session } => {
            put("agent", agent.as_str());
            put("operation", operation.as_str());
            put("timing", timing.as_str());
            put("sessionId", session.as_deref().unwrap_or_default());
        }
        OccurrenceKind::Host { event, host, session, tool } => {
            put("eventName", event.as_str());
            put("hostName", host.as_deref().unwrap_or_default());
            put("sessionId", session.as_deref().unwrap_or_default());
            put("toolName", tool.as_deref().unwrap_or_default());
        }
        OccurrenceKind::FileRenamed { old_path, .. } => put("oldFilePath", &root.join(old_path).to_string()),
        OccurrenceKind::Scheduled { due } => put("dueTime", &Timestamp::from_millis(*due).to_string()),
        OccurrenceKind::FileSaved { .. }
        | OccurrenceKind::FileWillBeSaved { .. }
        | OccurrenceKind::FileCreated { .. }
        | OccurrenceKind::FileDeleted { .. }
        | OccurrenceKind::Custom { .. } => {}
    }
    let feature = values.get("branch").map(|branch| feature_of(branch).to_owned());
    if let Some(feature) = feature {
        values.entry("feature".to_owned()).or_insert(feature);
    }
    values
}

/// Returns the name of an occurrence's kind in specification 000.
fn trigger_type(kind: &OccurrenceKind) -> String {
    match kind {
        OccurrenceKind::FileSaved { .. } => "file-save".to_owned(),
        OccurrenceKind::Commit { .. } => "git-commit".to_owned(),
        OccurrenceKind::SpecStatus { .. } => "spec-status-change".to_owned(),
        OccurrenceKind::Operation { operation, timing: Timing::Before | Timing::After, .. } => {
            operation.to_string()
        }
        OccurrenceKind::FileCreated { .. } => "file-create".to_owned(),
        OccurrenceKind::FileDeleted { .. } => "file-delete".to_owned(),
        OccurrenceKind::FileRenamed { .. } => "file-rename".to_owned(),
        OccurrenceKind::FileWillBeSaved { .. }
        | OccurrenceKind::Scheduled { .. }
        | OccurrenceKind::Host { .. }
        | OccurrenceKind::Custom { .. } => kind.to_string(),
    }
}

/// Returns the feature name in the name of a branch.
pub fn feature_of(branch: &str) -> &str {
    let name = branch.rsplit('/').next().unwrap_or(branch);
    let behind_number = name.trim_start_matches(|it: char| it.is_ascii_digit());
    match behind_number.strip_prefix('-') {
        Some(feature) if behind_number.len() < name.len() => feature,
        _ => name,
    }
}

fn part(path: Option<&Path>) -> String {
    path.map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns a value of `--data` as text.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Map;

    use super::*;
    use crate::Schedule;
    use crate::config::{BadTriggerName, emitted_kind, known_triggers};

    fn values(kind: OccurrenceKind) -> BTreeMap<String, String> {
        let mut occurrence = Occurrence::new(Timestamp::from_millis(1_706_265_000_000), kind);
        occurrence.values.insert("branch".into(), "feat/011-custom-agent-hooks".into());
        context(&occurrence, &AbsPath::new("/repo").unwrap())
    }

    #[test]
    fn a_saved_file_is_told_in_all_its_parts() {
        let values = values(OccurrenceKind::FileSaved { path: "src/deep/index.test.ts".into() });
        for (name, value) in [
            ("timestamp", "2024-01-26T10:30:00.000Z"),
            ("triggerType", "file-save"),
            ("filePath", "/repo/src/deep/index.test.ts"),
            ("fileName", "index.test.ts"),
            ("fileExt", "ts"),
            ("fileDir", "/repo/src/deep"),
            ("branch", "feat/011-custom-agent-hooks"),
            ("feature", "custom-agent-hooks"),
        ] {
            assert_eq!(values.get(name).map(String::as_str), Some(value), "{name}");
        }
        assert!(!values.contains_key("specId"));
    }

    #[test]
    fn data_of_emit_cannot_pass_for_what_we_know_ourselves() {
        let data = serde_json::json!({"timestamp": "never", "n": 7, "list": [1]});
        let kind =
            OccurrenceKind::Custom { name: "x".into(), path: None, data: data.as_object().unwrap().clone() };
        let values = values(kind);
        assert_eq!(values["timestamp"], "2024-01-26T10:30:00.000Z");
        assert_eq!((values["n"].as_str(), values["list"].as_str()), ("7", "[1]"));
    }

    /// Returns an occurrence of every built-in trigger. The data of `emit` has a value for every variable.
    fn one_of_each_trigger() -> impl Iterator<Item = OccurrenceKind> {
        let root = AbsPath::new("/repo").unwrap();
        let data = Variable::ALL.iter().map(|it| (it.name.to_owned(), Value::from("x")));
        let data: Map<String, Value> = data.collect();
        known_triggers().into_iter().map(move |name| {
            match emitted_kind(&name, Some("a.rs".into()), data.clone(), &root) {
                Ok(kind) => kind,
                Err(BadTriggerName::OnlyByClock) => OccurrenceKind::Scheduled { due: 1 },
                Err(error) => panic!("{name}: {error}"),
            }
        })
    }

    /// Returns the trigger that an occurrence meets, without a pattern.
    fn trigger_met_by(kind: &OccurrenceKind) -> Trigger {
        match kind.clone() {
            OccurrenceKind::FileSaved { .. } => Trigger::FileSaved { pattern: None },
            OccurrenceKind::FileWillBeSaved { .. } => Trigger::FileWillBeSaved { pattern: None },
            OccurrenceKind::FileCreated { .. } => Trigger::FileCreated { pattern: None },
            OccurrenceKind::FileDeleted { .. } => Trigger::FileDeleted { pattern: None },
            OccurrenceKind::FileRenamed { .. } => Trigger::FileRenamed { pattern: None },
            OccurrenceKind::Scheduled { .. } => {
                Trigger::Schedule { schedule: Schedule::Every(Duration::from_hours(1)) }
            }
            OccurrenceKind::Commit { repo_root, .. } => {
                Trigger::Commit { repo_root: AbsPath::new(repo_root).unwrap() }
            }
            OccurrenceKind::SpecStatus { .. } => Trigger::SpecStatus { pattern: None },
            OccurrenceKind::Operation { agent, operation, timing, .. } => {
                Trigger::Operation { agent, operation, timing }
            }
            OccurrenceKind::Host { event, .. } => Trigger::Host { event },
            OccurrenceKind::Custom { name, .. } => Trigger::Custom { name, pattern: None },
        }
    }

    #[test]
    fn an_occurrence_of_a_built_in_trigger_meets_it_and_has_its_name() {
        for kind in one_of_each_trigger() {
            let trigger = trigger_met_by(&kind);
            assert!(trigger.is_met_by(&kind), "{trigger}");
            assert_eq!(trigger.to_string(), kind.to_string());
        }
    }

    #[test]
    fn every_variable_a_trigger_has_gets_a_value_if_it_is_required() {
        for kind in one_of_each_trigger() {
            let trigger = trigger_met_by(&kind);
            let values = values(kind);
            for variable in available(&trigger).unwrap().iter().filter(|it| it.required) {
                assert!(values.contains_key(variable.name), "{trigger}: {}", variable.name);
            }
        }
        assert_eq!(available(&Trigger::Custom { name: "x".into(), pattern: None }), None);
    }

    #[test]
    fn every_value_of_a_built_in_trigger_is_declared() {
        for kind in one_of_each_trigger() {
            let trigger = kind.to_string();
            for value in values(kind).into_keys() {
                let is_declared = Variable::ALL.iter().any(|it| it.name == value);
                assert!(is_declared, "{trigger} has a value for `{value}`");
            }
        }
    }

    #[test]
    fn a_feature_is_a_branch_without_its_number() {
        for (branch, feature) in
            [("001-hooks-module", "hooks-module"), ("main", "main"), ("me/12-x", "x"), ("2fa", "2fa")]
        {
            assert_eq!(feature_of(branch), feature);
        }
    }
}
