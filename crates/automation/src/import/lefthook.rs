//! Commands of lefthook that are about files or a finished commit.
//!
//! lefthook runs commands before git does something and can refuse that; an automation runs afterwards, in the
//! background. So the commands of `pre-commit` that check files become automations for saved files, those of
//! `post-commit` automations for commits, and all others are reported.

use std::fmt::Write as _;

use config_file::{Limits, parse_yaml};
use serde_json::{Map, Value, json};

use super::{Imported, shell_command, slug};
use crate::Trigger;

/// The words for the files of a command.
const FILES: [&str; 3] = ["{staged_files}", "{files}", "{push_files}"];
/// The words that have no counterpart.
const UNKNOWN: [&str; 3] = ["{all_files}", "{cmd}", "{0}"];
/// The settings of lefthook itself, next to its hooks.
const SETTINGS: [&str; 21] = [
    "assert_lefthook_installed",
    "colors",
    "extends",
    "lefthook",
    "min_version",
    "no_tty",
    "no_auto_install",
    "output",
    "rc",
    "remote",
    "remotes",
    "skip_lfs",
    "skip_output",
    "source_dir",
    "source_dir_local",
    "templates",
    "glob_matcher",
    "install_non_git_hooks",
    "config",
    "$schema",
    "piped",
];

/// Imports a file in YAML or JSON; `name` is its file name.
pub fn lefthook(name: &str, text: &str) -> Imported {
    let refused = |why: String| Imported { hooks: Vec::new(), remarks: vec![format!("{name}: {why}")] };
    let root = match parse_yaml(text, Limits::default()) {
        Ok(Some(node)) => node.to_json(),
        Ok(None) => return Imported::default(),
        Err(fault) => return refused(format!("not YAML: {}", fault.message)),
    };
    let Some(hooks) = root.as_object() else { return refused("not a mapping".to_owned()) };
    let mut imported = Imported::default();
    for (git_hook, settings) in hooks.iter().filter(|(key, _)| !SETTINGS.contains(&key.as_str())) {
        for (entry, settings) in entries(settings) {
            let title = format!("{git_hook}/{entry}");
            match import(git_hook, &title, &settings) {
                Ok((hook, remarks)) => {
                    imported.hooks.push(hook);
                    imported.remarks.extend(remarks.into_iter().map(|it| format!("{name}: `{title}` {it}")));
                }
                Err(why) => imported.remarks.push(format!("{name}: `{title}` {why}")),
            }
        }
        if settings.get("scripts").is_some() {
            imported.remarks.push(format!("{name}: the scripts of `{git_hook}` have no counterpart"));
        }
    }
    imported
}

/// Returns the commands and jobs of a git hook, by name.
fn entries(settings: &Value) -> Vec<(String, Map<String, Value>)> {
    let commands = settings.get("commands").and_then(Value::as_object).into_iter().flatten();
    let commands = commands.filter_map(|(name, it)| Some((name.clone(), it.as_object()?.clone())));
    let jobs = settings.get("jobs").and_then(Value::as_array).into_iter().flatten();
    let jobs = jobs.enumerate().filter_map(|(index, it)| {
        let job = it.as_object()?.clone();
        let name = job
            .get("name")
            .and_then(Value::as_str)
            .map_or_else(|| format!("job-{}", index + 1), str::to_owned);
        Some((name, job))
    });
    commands.chain(jobs).collect()
}

type Hook = (Value, Vec<String>);

fn import(git_hook: &str, title: &str, entry: &Map<String, Value>) -> Result<Hook, String> {
    let word = |key: &str| entry.get(key).and_then(Value::as_str);
    let Some(run) = word("run") else {
        return Err("has no `run`; groups and scripts have no counterpart".to_owned());
    };
    if let Some(unknown) = UNKNOWN.iter().find(|it| run.contains(**it)) {
        return Err(format!("uses `{unknown}`, which has no counterpart"));
    }
    let mut remarks = Vec::new();
    let folder = word("root").map(|it| it.trim_matches('/')).filter(|it| !it.is_empty());
    let run = in_folder(run, folder, entry.get("env").and_then(Value::as_object));
    let mut hook = json!({ "id": slug(title), "name": title });
    match git_hook {
        "pre-commit" => {
            let takes_files = FILES.iter().any(|it| run.contains(it));
            let globs = globs(entry.get("glob"), folder);
            if !takes_files && globs.is_empty() {
                return Err("is about the whole commit, not about files; it has no counterpart".to_owned());
            }
            let excluded = match entry.get("exclude") {
                Some(Value::String(_)) => {
                    remarks.push(
                        "has an `exclude` that is a regular expression, which has no counterpart".to_owned(),
                    );
                    Vec::new()
                }
                other => self::globs(other, folder).into_iter().map(|it| format!("!{it}")).collect(),
            };
            remarks.push("runs when a file is saved, not before a commit, and refuses nothing".to_owned());
            hook["trigger"] = Trigger::DID_SAVE.into();
            let patterns: Vec<String> = globs.into_iter().chain(excluded).collect();
            if !patterns.is_empty() {
                hook["pattern"] = json!(patterns);
            }
            hook["batch"] = true.into();
            hook["prompt"] = "{files}\n".into();
        }
        "post-commit" => {
            if FILES.iter().any(|it| run.contains(it)) {
                return Err("takes the files of a commit, which have no counterpart".to_owned());
            }
            hook["trigger"] = Trigger::GIT_COMMIT.into();
            hook["allowGit"] = true.into();
            hook["repoRoot"] = ".".into();
            hook["prompt"] = "{commitHash}\n".into();
        }
        other => {
            return Err(format!(
                "is a `{other}` hook; only `pre-commit` and `post-commit` have a counterpart"
            ));
        }
    }
    for key in ["skip", "only", "stage_fixed", "interactive", "use_stdin", "files", "file_types", "fail_text"]
    {
        if entry.get(key).is_some_and(|it| *it != Value::Bool(false)) {
            remarks.push(format!("has `{key}`, which has no counterpart"));
        }
    }
    hook["runner"] = shell_command::runner(&run, &FILES);
    Ok((hook, remarks))
}

/// Returns the command with its variables and in its folder.
fn in_folder(run: &str, folder: Option<&str>, variables: Option<&Map<String, Value>>) -> String {
    let mut text = String::new();
    for (name, value) in variables.into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = write!(text, "export {name}={}; ", quoted(&value));
    }
    if let Some(folder) = folder {
        let _ = write!(text, "cd {} && ", quoted(folder));
    }
    text + run
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Returns one glob or several, below a folder.
fn globs(value: Option<&Value>, folder: Option<&str>) -> Vec<String> {
    let below = |glob: &str| match folder {
        Some(folder) if glob.contains('/') => format!("{folder}/{glob}"),
        Some(folder) => format!("{folder}/**/{glob}"),
        None => glob.to_owned(),
    };
    match value {
        Some(Value::String(glob)) => vec![below(glob)],
        Some(Value::Array(globs)) => globs.iter().filter_map(Value::as_str).map(below).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "min_version: 1.6.0
pre-commit:
  parallel: true
  commands:
    eslint:
      glob: \"*.{js,ts}\"
      exclude: [\"dist/**\"]
      root: web/
      env: {LEVEL: \"it's\"}
      run: npx eslint {staged_files}
    audit:
      run: npm audit
    all:
      glob: '*.rs'
      run: cargo fmt {all_files}
  jobs:
    - run: gofmt -l \"{staged_files}\"
      glob: ['*.go']
      stage_fixed: true
post-commit:
  commands:
    tell: {run: echo done}
pre-push:
  commands:
    test: {run: cargo test}
";

    #[test]
    fn commands_about_files_and_commits_are_taken_over_and_the_rest_is_told() {
        let imported = lefthook("lefthook.yml", FILE);
        let script = "set --; while IFS= read -r file; do set -- \"$@\" \"$file\"; done; ";
        assert_eq!(
            imported.hooks,
            [
                json!({
                    "id": "pre-commit-eslint", "name": "pre-commit/eslint", "trigger": "onDidSaveTextDocument",
                    "pattern": ["web/**/*.{js,ts}", "!web/dist/**"], "batch": true, "prompt": "{files}\n",
                    "runner": {"type": "command", "command": ["sh", "-c",
                        format!("{script}export LEVEL='it'\\''s'; cd 'web' && npx eslint \"$@\"")]},
                }),
                json!({
                    "id": "pre-commit-job-1", "name": "pre-commit/job-1", "trigger": "onDidSaveTextDocument",
                    "pattern": ["*.go"], "batch": true, "prompt": "{files}\n",
                    "runner": {"type": "command", "command": ["sh", "-c", format!("{script}gofmt -l \"$@\"")]},
                }),
                json!({
                    "id": "post-commit-tell", "name": "post-commit/tell", "trigger": "gitCommit", "allowGit": true,
                    "repoRoot": ".", "prompt": "{commitHash}\n",
                    "runner": {"type": "command", "command": ["sh", "-c", "echo done"]},
                }),
            ]
        );
        let told = imported.remarks.join("\n");
        for remark in [
            "`pre-commit/audit` is about the whole commit",
            "`pre-commit/all` uses `{all_files}`",
            "`pre-commit/job-1` has `stage_fixed`",
            "`pre-push/test` is a `pre-push` hook",
        ] {
            assert!(told.contains(remark), "{told}");
        }
    }
}
