//! Hooks of Kiro: `.kiro/hooks/*.kiro.hook` and `.kiro/hooks/*.json`.

use config_file::{JsonDialect, parse_json};
use event::EventName;
use serde_json::{Value, json};

use super::{Imported, shell_command, slug};
use crate::template::Variable;
use crate::{Template, Trigger};

/// The words that Kiro replaces by the file in a command.
const FILE: [&str; 5] = ["{{filePath}}", "{{file}}", "${filePath}", "${file}", "{file}"];

/// Imports one file; `name` is its file name.
pub fn kiro(name: &str, text: &str) -> Imported {
    let refused = |why: String| Imported { hooks: Vec::new(), remarks: vec![format!("{name}: {why}")] };
    let root = match parse_json(text, JsonDialect::WithComments) {
        Ok(Some(node)) => node.to_json(),
        Ok(None) => return refused("the file is empty".to_owned()),
        Err(fault) => return refused(format!("not JSON: {}", fault.message)),
    };
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let (when, then) = (&root["when"], &root["then"]);
    let title = word(&root, "name").unwrap_or_else(|| stem(name).to_owned());
    let id = slug(stem(name));
    let mut remarks = Vec::new();
    let Some(kind) = word(when, "type") else { return refused("it has no `when.type`".to_owned()) };
    let trigger = match kind.as_str() {
        "fileEdited" | "fileSave" | "fileSaved" => Trigger::DID_SAVE.to_owned(),
        "fileCreated" | "fileCreate" => Trigger::DID_CREATE.to_owned(),
        "fileDeleted" | "fileDelete" => Trigger::DID_DELETE.to_owned(),
        "promptSubmit" | "userPromptSubmit" => EventName::UserPromptSubmit.as_str().to_owned(),
        "agentStop" | "stop" => EventName::Stop.as_str().to_owned(),
        "preToolUse" => {
            remarks.push(format!("{name}: it runs in the background and cannot hold back the tool call"));
            EventName::PreToolUse.as_str().to_owned()
        }
        "postToolUse" => EventName::PostToolUse.as_str().to_owned(),
        "userTriggered" | "manual" => {
            remarks.push(format!("{name}: run it with `steersman automation run {id}`"));
            format!("run-{id}")
        }
        other => return refused(format!("`when.type` is `{other}`, which has no counterpart")),
    };
    if when.get("toolTypes").is_some() {
        remarks.push(format!("{name}: `when.toolTypes` has no counterpart; it runs for every tool"));
    }
    let is_about_files =
        [Trigger::DID_SAVE, Trigger::DID_CREATE, Trigger::DID_DELETE].contains(&trigger.as_str());
    let mut hook = json!({ "id": id, "name": title, "enabled": root.get("enabled") != Some(&Value::Bool(false)), "trigger": trigger });
    // A pattern that is left out would make it run for more files.
    let (Some(mut patterns), Some(excluded)) = (globs(&when["patterns"]), globs(&when["excludePatterns"]))
    else {
        return refused("its patterns are neither a string nor a list of strings".to_owned());
    };
    patterns.extend(excluded.iter().map(|it| format!("!{it}")));
    if is_about_files && !patterns.is_empty() {
        hook["pattern"] = json!(patterns);
    }
    match word(then, "type").as_deref() {
        Some("askAgent") => {
            let Some(prompt) = word(then, "prompt") else {
                return refused("it has no `then.prompt`".to_owned());
            };
            let (prompt, unknown) = as_template(&prompt, is_about_files);
            for word in unknown {
                remarks.push(format!(
                    "{name}: `{{{word}}}` in its prompt has no counterpart; it is written as `{{ {word} }}`, which stays as it is"
                ));
            }
            let is_named = prompt.contains("{filePath}");
            let about = if is_about_files && !is_named { "\n\nThe file: {filePath}" } else { "" };
            hook["prompt"] = format!("{prompt}{about}").into();
        }
        Some("runCommand") => {
            let Some(command) = word(then, "command") else {
                return refused("it has no `then.command`".to_owned());
            };
            hook["prompt"] = if is_about_files { "{files}\n" } else { "{triggerType}\n" }.into();
            hook["runner"] = shell_command::runner(&command, &FILE);
            // A word after `$` is a variable of the shell.
            let rest = FILE.iter().fold(command, |text, word| text.replace(word, "")).replace("${", "");
            for word in Template::new(rest).variables() {
                remarks.push(format!(
                    "{name}: `{{{word}}}` in its command has no counterpart; it stays as it is"
                ));
            }
            if let Some(seconds) =
                then.get("timeout").and_then(Value::as_u64).filter(|it| (1..=86_400).contains(it))
            {
                hook["timeoutMs"] = (seconds * 1000).into();
            }
        }
        other => {
            return refused(format!(
                "`then.type` is `{}`, which has no counterpart",
                other.unwrap_or("missing")
            ));
        }
    }
    if let Some(description) = word(&root, "description") {
        hook["metadata"] = json!({ "description": description });
    }
    Imported { hooks: vec![hook], remarks }
}

/// Returns one pattern or several. Returns `None` if they are of another type.
fn globs(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::String(one) => Some(vec![one.clone()]),
        Value::Array(several) => several.iter().map(|it| it.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// Returns a prompt of Kiro as a template, with the words in braces that are not variables of steersman.
fn as_template(prompt: &str, is_about_files: bool) -> (String, Vec<String>) {
    let mut text = prompt.to_owned();
    if is_about_files {
        text = FILE.iter().fold(text, |text, word| text.replace(word, "{filePath}"));
    }
    let is_known = |word: &&str| Variable::ALL.iter().any(|it| it.name == *word);
    let template = Template::new(text.clone());
    let unknown: Vec<String> =
        template.variables().into_iter().filter(|it| !is_known(it)).map(str::to_owned).collect();
    for word in &unknown {
        text = text.replace(&format!("{{{word}}}"), &format!("{{ {word} }}"));
    }
    (text, unknown)
}

fn stem(name: &str) -> &str {
    name.trim_end_matches(".json").trim_end_matches(".hook").trim_end_matches(".kiro")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_kiro_become_triggers_and_the_rest_is_told() {
        let import = |when: &str, then: &str| {
            kiro("My Hook.kiro.hook", &format!(r#"{{"name": "X", "when": {when}, "then": {then}}}"#))
        };
        let ask = r#"{"type": "askAgent", "prompt": "Look"}"#;
        for (kind, trigger) in [
            ("fileEdited", "onDidSaveTextDocument"),
            ("fileCreated", "onDidCreateFiles"),
            ("fileDeleted", "onDidDeleteFiles"),
            ("promptSubmit", "UserPromptSubmit"),
            ("agentStop", "Stop"),
            ("preToolUse", "PreToolUse"),
            ("postToolUse", "PostToolUse"),
            ("userTriggered", "run-my-hook"),
        ] {
            let imported = import(&format!(r#"{{"type": "{kind}"}}"#), ask);
            assert_eq!(imported.hooks[0]["trigger"], trigger);
            assert_eq!(imported.hooks[0]["id"], "my-hook");
        }
        for (when, then, remark) in [
            (
                r#"{"type": "preTaskExecution"}"#,
                ask,
                "`when.type` is `preTaskExecution`, which has no counterpart",
            ),
            ("{}", ask, "it has no `when.type`"),
            (
                r#"{"type": "agentStop"}"#,
                r#"{"type": "dance"}"#,
                "`then.type` is `dance`, which has no counterpart",
            ),
            (r#"{"type": "agentStop"}"#, r#"{"type": "askAgent"}"#, "it has no `then.prompt`"),
            (
                r#"{"type": "fileEdited", "patterns": ["*.ts", 7]}"#,
                ask,
                "its patterns are neither a string nor a list of strings",
            ),
        ] {
            let imported = import(when, then);
            assert_eq!(
                imported,
                Imported { hooks: vec![], remarks: vec![format!("My Hook.kiro.hook: {remark}")] }
            );
        }
        assert!(kiro("x.json", "{").remarks[0].starts_with("x.json: not JSON"));
    }

    #[test]
    fn words_that_are_no_variables_here_stay_and_are_told() {
        let import =
            |then: &str| kiro("a.json", &format!(r#"{{"when": {{"type": "fileEdited"}}, "then": {then}}}"#));
        let asked = import(r#"{"type": "askAgent", "prompt": "Test {{file}} of {component} by {user}"}"#);
        assert_eq!(asked.hooks[0]["prompt"], "Test {filePath} of { component } by {user}");
        let told = "a.json: `{component}` in its prompt has no counterpart; it is written as `{ component }`, which stays as it is";
        assert_eq!(asked.remarks, [told]);
        let run = import(r#"{"type": "runCommand", "command": "lint {file} --as {kind} ${HOME}"}"#);
        let remark =
            |word: &str| format!("a.json: `{{{word}}}` in its command has no counterpart; it stays as it is");
        assert_eq!(run.remarks, [remark("kind")]);
    }

    #[test]
    fn patterns_commands_and_prompts_are_taken_over() {
        let text = r#"{"enabled": false, "name": "Lint", "description": "Lints",
            "when": {"type": "fileEdited", "patterns": ["*.ts"], "excludePatterns": ["dist/**"]},
            "then": {"type": "runCommand", "command": "npx eslint \"${file}\" --fix", "timeout": 15}}"#;
        let script =
            "set --; while IFS= read -r file; do set -- \"$@\" \"$file\"; done; npx eslint \"$@\" --fix";
        let expected = json!({
            "id": "lint", "name": "Lint", "enabled": false, "trigger": "onDidSaveTextDocument",
            "pattern": ["*.ts", "!dist/**"], "prompt": "{files}\n",
            "runner": {"type": "command", "command": ["sh", "-c", script]}, "timeoutMs": 15000,
            "metadata": {"description": "Lints"},
        });
        assert_eq!(kiro("lint.json", text), Imported { hooks: vec![expected.clone()], remarks: vec![] });
        let single = text.replace("[\"*.ts\"]", "\"*.ts\"").replace("[\"dist/**\"]", "\"dist/**\"");
        assert_eq!(kiro("lint.json", &single).hooks, [expected]);
    }
}
