//! The two files: their valid content, their mistakes, and reloading a broken file.

use std::fs;
use std::time::Duration;

use automation::template::TemplateCode;
use automation::{Action, AgentChoice, Configuration, Retry, SourceFile, Timing, Trigger};
use expect_test::{Expect, expect};
use store::Workspace;

use crate::sample::{id, place};

fn write(workspace: &Workspace, source: SourceFile, text: &str) {
    let path = source.path(workspace);
    fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
    fs::write(path.as_path(), text).unwrap();
}

fn load(source: SourceFile, text: &str) -> (Configuration, automation::Loaded) {
    let place = place();
    write(&place.workspace, source, text);
    Configuration::load(&place.workspace)
}

fn check(source: SourceFile, text: &str, expected: &Expect) {
    let (configuration, loaded) = load(source, text);
    let problems: Vec<_> = loaded.problems.iter().map(config_file::Problem::log_line).collect();
    expected.assert_eq(&(problems.join("\n") + "\n"));
    let n_expected = if loaded.is_valid() { None } else { Some(0) };
    assert!(n_expected.is_none_or(|n| configuration.automations().count() == n));
}

#[test]
fn an_automation_of_the_engine_gets_the_documents_defaults() {
    let (configuration, loaded) = load(
        SourceFile::Akira,
        r#"{
          // comments and trailing commas are fine
          "hooks": [
            {"id": "format", "trigger": "onDidSaveTextDocument", "prompt": "Look at {filePath}",},
          ],
        }"#,
    );
    assert_eq!(loaded.problems, []);
    let automation = configuration.get(&id("format")).unwrap();
    assert_eq!(automation.trigger, Trigger::FileSaved { pattern: None });
    assert!(automation.enabled);
    assert_eq!(automation.concurrency, 4);
    assert_eq!(automation.timeout, Duration::from_mins(1));
    assert_eq!(automation.retry, Retry { count: 0, backoff: Duration::from_secs(1), factor: 2.0 });
    assert_eq!((automation.origin.index, automation.origin.line), (0, 4));
}

#[test]
fn every_field_of_the_engine_is_read() {
    let (configuration, loaded) = load(
        SourceFile::Akira,
        r#"{"schemaVersion": 1, "hooks": [{
          "id": "after-commit", "name": "After a commit", "trigger": "gitCommit", "prompt": "Sum {commitHash} up",
          "enabled": false, "concurrency": 2, "timeoutMs": 1000,
          "retry": {"count": 3, "backoffMs": 10, "backoffFactor": 1.5},
          "rateLimit": {"runs": 2, "perMs": 60000},
          "allowGit": true, "repoRoot": "sub/..", "secretPatterns": ["corp-[0-9]+"],
          "runner": {"type": "command", "command": ["cat"]}, "metadata": {"owner": "me"}
        }]}"#,
    );
    assert_eq!(loaded.problems, []);
    let automation = configuration.get(&id("after-commit")).unwrap();
    assert!(
        matches!(&automation.trigger, Trigger::Commit { repo_root } if !repo_root.to_string().contains(".."))
    );
    assert!(!automation.enabled);
    assert_eq!((automation.concurrency, automation.timeout), (2, Duration::from_secs(1)));
    assert_eq!(automation.retry, Retry { count: 3, backoff: Duration::from_millis(10), factor: 1.5 });
    assert_eq!(automation.rate.map(|it| (it.runs, it.per)), Some((2, Duration::from_mins(1))));
    assert_eq!(automation.secret_patterns, ["corp-[0-9]+"]);
    assert_eq!(automation.label(), "After a commit");
    assert_eq!(automation.metadata["owner"], "me");
}

#[test]
fn the_documents_own_example_of_a_custom_agent_hook_loads() {
    let (configuration, loaded) = load(
        SourceFile::Gatomia,
        r#"[{
          "id": "abc-123-def", "name": "Review Spec After Clarify", "enabled": true,
          "trigger": {"agent": "speckit", "operation": "clarify", "timing": "after"},
          "action": {"type": "custom", "parameters": {
            "agentId": "local:code-reviewer", "agentType": "local", "agentName": "code-reviewer",
            "prompt": "Review the clarified spec", "arguments": "Timestamp: {timestamp}"
          }},
          "createdAt": 1706267400000, "modifiedAt": 1706267400000, "executionCount": 5
        }]"#,
    );
    assert_eq!(loaded.problems, []);
    let automation = configuration.get(&id("abc-123-def")).unwrap();
    assert!(matches!(automation.trigger, Trigger::Operation { timing: Timing::After, .. }));
    let Action::Custom(custom) = &automation.action else { unreachable!("it is a custom action") };
    assert_eq!(custom.agent, AgentChoice::Id("local:code-reviewer".into()));
    assert_eq!(automation.created.unwrap().as_millis(), 1_706_267_400_000);
}

#[test]
fn an_older_hook_that_names_its_agent_only_by_name_still_loads() {
    let (configuration, loaded) = load(
        SourceFile::Gatomia,
        r#"{"version": 1, "hooks": [{"id": "old", "trigger": {"agent": "openspec", "operation": "plan"},
          "action": {"type": "custom", "parameters": {"agentName": "reviewer"}}}]}"#,
    );
    assert_eq!(loaded.problems, []);
    let Action::Custom(custom) = &configuration.get(&id("old")).unwrap().action else {
        unreachable!("it is a custom action")
    };
    assert_eq!(custom.agent, AgentChoice::Name("reviewer".into()));
}

#[test]
fn every_kind_of_action_loads() {
    let hook = |id: &str, action: &str| {
        format!(
            r#"{{"id": "{id}", "trigger": {{"agent": "workspace", "operation": "file-save"}}, "action": {action}}}"#
        )
    };
    let actions = [
        r#"{"type": "agent", "parameters": {"command": "/speckit.analyze"}}"#,
        r#"{"type": "git", "parameters": {"operation": "commit", "messageTemplate": "Save {fileName}", "pushToRemote": true}}"#,
        r#"{"type": "git", "parameters": {"operation": "push"}}"#,
        r#"{"type": "github", "parameters": {"operation": "open-issue", "repository": "me/it", "titleTemplate": "{fileName}", "labels": ["x"]}}"#,
        r#"{"type": "github", "parameters": {"operation": "add-comment", "issueNumber": 7, "bodyTemplate": "{fileName}"}}"#,
        r#"{"type": "mcp", "parameters": {"serverId": "s", "toolName": "t", "arguments": {"path": "{filePath}"}}}"#,
        r#"{"type": "command", "parameters": {"command": ["prettier", "--write", "{filePath}"], "input": "{fileName}"}}"#,
    ];
    let hooks: Vec<_> = actions.iter().enumerate().map(|(n, it)| hook(&format!("h{n}"), it)).collect();
    let (configuration, loaded) = load(SourceFile::Gatomia, &format!("[{}]", hooks.join(",")));
    assert_eq!(loaded.problems, []);
    let words: Vec<_> = configuration.automations().map(|it| it.action.word()).collect();
    assert_eq!(words, ["agent", "git", "git", "github", "github", "mcp", "command"]);
}

#[test]
fn everything_wrong_with_the_engines_file_is_told_at_once() {
    check(
        SourceFile::Akira,
        r#"{
  "hoooks": 1,
  "hooks": [
    {"id": "a", "trigger": "onDidSaveTextDocument", "prompt": "x", "concurency": 2, "timeoutMs": 999},
    {"id": "a", "trigger": "gitCommit", "prompt": "x"},
    {"trigger": "", "prompt": 7, "enabled": "yes"},
    {"id": "d", "trigger": "speckit.clarfy", "prompt": "x", "retry": {"count": -1, "backoffFactor": 0.5}},
    {"id": "e", "trigger": "onDidSaveTextDocument", "pattern": "../x", "prompt": "x", "secretPatterns": ["a*", "(", "ok"]},
    {"id": "f", "trigger": "Stop", "pattern": "*.rs", "prompt": "x", "runner": "cluade", "concurrency": 0},
    {"id": "g", "trigger": "sessionstart", "prompt": "x", "id": "h"}
  ]
}"#,
        &expect![[r#"
            .akira/hooks.json:2:3: warning: unknown key `hoooks` (hint: did you mean `hooks`?)
            .akira/hooks.json:4:68: warning: unknown key `hooks[0].concurency` (hint: did you mean `concurrency`?)
            .akira/hooks.json:4:98: error: `hooks[0].timeoutMs` must be a whole number from 1000 to 86400000, not 999
            .akira/hooks.json:5:28: error: a commit trigger needs `allowGit` (hint: add `"allowGit": true` to permit it)
            .akira/hooks.json:5:28: error: a commit trigger needs `repoRoot` (hint: add the path of the repository, such as `"repoRoot": "."`)
            .akira/hooks.json:6:5: error: missing key `hooks[2].id` (hint: add `"id": …`)
            .akira/hooks.json:6:17: error: `hooks[2].trigger` must not be empty
            .akira/hooks.json:6:31: error: `hooks[2].prompt` must be a string, not a number (hint: put it in quotes: `"7"`)
            .akira/hooks.json:6:45: error: `hooks[2].enabled` must be true or false, not a string
            .akira/hooks.json:7:28: error: `hooks[3].trigger`: unknown operation of a specification agent (hint: did you mean `speckit.clarify`?)
            .akira/hooks.json:7:80: error: `hooks[3].retry.count` must be a whole number from 0 to 100, not -1
            .akira/hooks.json:7:101: error: `hooks[3].retry.backoffFactor` must be a number of at least 1, not 0.5
            .akira/hooks.json:8:64: error: `hooks[4].pattern` contains `..` (hint: write a glob below the workspace, such as `src/**/*.ts`)
            .akira/hooks.json:8:106: error: secret pattern `a*` matches the empty string (hint: use `+` instead of `*`)
            .akira/hooks.json:8:112: error: secret pattern `(` is not a regular expression: unclosed group
            .akira/hooks.json:9:47: warning: `pattern` has no effect on the trigger `Stop`
            .akira/hooks.json:9:80: error: `hooks[5].runner` names the unknown runner `cluade` (hint: did you mean `claude`?)
            .akira/hooks.json:9:105: error: `hooks[5].concurrency` must be a whole number from 1 to 1000, not 0
            .akira/hooks.json:10:28: warning: only `steersman emit sessionstart` meets this trigger (hint: did you mean `SessionStart`?)
            .akira/hooks.json:10:59: error: duplicate key `hooks[6].id`, first in line 10 (hint: remove one of them)
        "#]],
    );
}

#[test]
fn everything_wrong_with_a_custom_agent_hook_is_told_at_once() {
    check(
        SourceFile::Gatomia,
        r#"[
  {"id": "a", "trigger": {"agent": "workspace", "operation": "git-commit"}, "action": {"type": "git", "parameters": {"operation": "commit"}}},
  {"id": "b", "trigger": {"agent": "speckit", "operation": "clarifi", "timing": "during"}, "action": {"type": "custm", "parameters": {}}},
  {"id": "c", "trigger": {"agent": "workspace", "operation": "file-save", "timing": "before"}, "action": {"type": "custom", "parameters": {}}},
  {"id": "d", "trigger": {"agent": "speckit", "operation": "plan"}, "action": {"type": "custom", "parameters": {"agentId": "Local:X", "agentType": "near"}}},
  {"id": "e", "trigger": {"agent": "speckit", "operation": "plan"}, "action": {"type": "command", "parameters": {"command": ["{filePath}"]}}},
  {"id": "f", "trigger": {"agent": "speckit", "operation": "plan"}, "action": {"type": "agent", "parameters": {"command": "rm -rf"}}},
  {"id": "g", "trigger": {"agent": "speckit", "operation": "plan"}, "action": {"type": "github", "parameters": {"operation": "close-issue", "repository": "x"}}},
  {"id": "h"}
]"#,
        &expect![[r#"
            .vscode/gatomia/hooks.json:2:62: error: a commit trigger needs `allowGit` (hint: add `"allowGit": true` to permit it)
            .vscode/gatomia/hooks.json:2:62: error: a commit trigger needs `repoRoot` (hint: add the path of the repository, such as `"repoRoot": "."`)
            .vscode/gatomia/hooks.json:2:117: error: missing key `hooks[0].action.parameters.messageTemplate` (hint: add `"messageTemplate": …`)
            .vscode/gatomia/hooks.json:3:60: error: `hooks[1].trigger.operation` must be one of `research`, `datamodel`, `design`, `specify`, `clarify`, `plan`, `tasks`, `taskstoissues`, `analyze`, `checklist`, `constitution`, `implementation`, `unit-test`, `integration-test`, not `clarifi` (hint: did you mean `clarify`?)
            .vscode/gatomia/hooks.json:3:81: error: `hooks[1].trigger.timing` must be `before` or `after`, not `during`
            .vscode/gatomia/hooks.json:3:111: error: `hooks[1].action.type` must be one of `custom`, `agent`, `git`, `github`, `mcp`, `command`, not `custm` (hint: did you mean `custom`?)
            .vscode/gatomia/hooks.json:4:85: error: operations of `workspace` have only the timing `after` (hint: use `"timing": "after"`)
            .vscode/gatomia/hooks.json:4:139: error: the action must name an agent (hint: add `agentId`, such as `local:code-reviewer`; run `steersman agent list` for the ids)
            .vscode/gatomia/hooks.json:5:124: error: `hooks[3].action.parameters.agentId` must be the id of an agent, not `Local:X` (hint: write `local:` or `extension:`, then lower-case letters, digits and hyphens)
            .vscode/gatomia/hooks.json:5:148: error: `hooks[3].action.parameters.agentType` must be `local` or `background`, not `near`
            .vscode/gatomia/hooks.json:6:126: error: the program itself must not have variables (hint: move them to the arguments)
            .vscode/gatomia/hooks.json:7:123: error: `hooks[5].action.parameters.command` must be a slash command (hint: start it with `/`, such as `/speckit.clarify`)
            .vscode/gatomia/hooks.json:8:112: error: missing key `hooks[6].action.parameters.issueNumber` (hint: add `"issueNumber": …`)
            .vscode/gatomia/hooks.json:8:155: error: `hooks[6].action.parameters.repository` must be a repository, not `x` (hint: write `owner/name`)
            .vscode/gatomia/hooks.json:9:3: error: missing key `hooks[7].trigger` (hint: add `"trigger": …`)
            .vscode/gatomia/hooks.json:9:3: error: missing key `hooks[7].action` (hint: add `"action": …`)
        "#]],
    );
}

#[test]
fn a_template_is_told_about_where_it_stands_and_loads_all_the_same() {
    check(
        SourceFile::Akira,
        r#"{"hooks": [{"id": "a", "trigger": "onDidSaveTextDocument",
  "prompt": "é\n{fliePath} {specId} {} {a-b} {{user}} {"}]}"#,
        &expect![[r#"
            .akira/hooks.json:2:17: warning: `{fliePath}` has no value for the trigger `onDidSaveTextDocument`; nothing is inserted (hint: did you mean `{filePath}`?)
            .akira/hooks.json:2:28: warning: `{specId}` has no value for the trigger `onDidSaveTextDocument`; nothing is inserted (hint: use one of timestamp, triggerType, user, branch, feature, changeAuthor, filePath, fileName, fileExt, fileDir, files, fileCount)
            .akira/hooks.json:2:37: warning: missing variable name between these braces
            .akira/hooks.json:2:40: warning: not a valid variable name, so the text stays as it is; names have letters, digits and `_`
            .akira/hooks.json:2:47: warning: nested `{` within braces
            .akira/hooks.json:2:55: warning: this `{` is never closed
        "#]],
    );
    assert_eq!(TemplateCode::UnclosedBrace.as_str(), "UNCLOSED_BRACE");
}

#[test]
fn files_that_cannot_be_read_at_all_say_why() {
    for (text, complaint) in [
        ("{\"hooks\": [", ".akira/hooks.json:1:11: error: cannot parse JSON"),
        (
            "{\"schemaVersion\": 2, \"hooks\": [{\"new\": true}]}",
            "format 2 is newer than this build's format 1",
        ),
        ("{\"schemaVersion\": \"1\", \"hooks\": []}", "`schemaVersion` must be a whole number"),
        ("[]", "the file must be an object, not an array"),
        ("{}", "missing key `hooks`"),
        ("{\"hooks\": {}}", "`hooks` must be an array of objects, not an object"),
        ("{'hooks': []}", "cannot parse JSON"),
        (&"[".repeat(100_000), "cannot parse JSON"),
        (
            &format!("{{\"hooks\": [{}]}}", vec!["{}"; 1001].join(",")),
            "at most 1000 automations (MAX_AUTOMATIONS), not 1001",
        ),
        (&" ".repeat((1 << 20) + 1), "at most 1048576 bytes (MAX_FILE_BYTES), not 1048577"),
    ] {
        let (configuration, loaded) = load(SourceFile::Akira, text);
        let told = loaded.problems.iter().map(config_file::Problem::log_line).collect::<Vec<_>>().join("\n");
        assert!(told.contains(complaint), "{complaint}: {told}");
        assert!(!loaded.is_valid());
        assert_eq!(configuration.automations().count(), 0);
    }
    for fine in ["// nothing yet", "{\"hooks\": []}", "\u{feff}{\"hooks\": []}"] {
        assert_eq!(load(SourceFile::Akira, fine).1.problems, [], "{fine}");
    }
}

#[test]
fn what_was_valid_stays_until_the_file_is_valid_again_or_gone() {
    let place = place();
    let hook = |id: &str| format!(r#"{{"hooks": [{{"id": "{id}", "trigger": "Stop", "prompt": "x"}}]}}"#);
    let (mut configuration, loaded) = Configuration::load(&place.workspace);
    assert_eq!((loaded.files.len(), configuration.automations().count()), (0, 0));
    write(&place.workspace, SourceFile::Akira, &hook("one"));
    assert!(configuration.reload(&place.workspace).is_valid());
    write(&place.workspace, SourceFile::Akira, "{\"hooks\": [{}");
    let loaded = configuration.reload(&place.workspace);
    assert_eq!((loaded.is_valid(), loaded.kept), (false, vec![SourceFile::Akira.name()]));
    assert!(configuration.get(&id("one")).is_some());
    write(&place.workspace, SourceFile::Akira, &hook("two"));
    configuration.reload(&place.workspace);
    assert!(configuration.get(&id("one")).is_none() && configuration.get(&id("two")).is_some());
    fs::remove_file(SourceFile::Akira.path(&place.workspace).as_path()).unwrap();
    configuration.reload(&place.workspace);
    assert_eq!(configuration.automations().count(), 0);
}

#[test]
fn an_id_in_both_files_makes_neither_count() {
    let place = place();
    write(
        &place.workspace,
        SourceFile::Akira,
        "{\"hooks\": [\n{\"id\": \"x\", \"trigger\": \"Stop\", \"prompt\": \"x\"}]}",
    );
    write(
        &place.workspace,
        SourceFile::Gatomia,
        r#"[{"id": "x", "trigger": {"agent": "speckit", "operation": "plan"}, "action": {"type": "agent", "parameters": {"command": "/x"}}}]"#,
    );
    let (configuration, loaded) = Configuration::load(&place.workspace);
    assert_eq!(configuration.automations().count(), 0);
    assert_eq!(
        loaded.problems[0].log_line(),
        ".vscode/gatomia/hooks.json:1:1: error: duplicate id `x`, first in .akira/hooks.json:2 (hint: give each automation a unique id across both files)"
    );
}

#[test]
fn a_switch_changes_one_word_and_leaves_the_rest() {
    let text = "{\n  // mine\n  \"hooks\": [\n    {\n      \"id\": \"a\", // first\n      \"trigger\": \"Stop\",\n      \"prompt\": \"x\",\n    },\n    {\"id\": \"b\", \"enabled\": false, \"trigger\": \"Stop\", \"prompt\": \"x\"}\n  ],\n}\n";
    let off = automation::config::switch(text, &id("a"), false).unwrap().unwrap();
    assert_eq!(load(SourceFile::Akira, &off).1.problems, []);
    assert!(!load(SourceFile::Akira, &off).0.get(&id("a")).unwrap().enabled);
    assert!(off.contains("// mine") && off.contains("// first"), "{off}");
    let on = automation::config::switch(&off, &id("a"), true).unwrap().unwrap();
    assert!(load(SourceFile::Akira, &on).0.get(&id("a")).unwrap().enabled);
    let b_on = automation::config::switch(text, &id("b"), true).unwrap().unwrap();
    assert_eq!(b_on, text.replace("false", "true"));
    assert_eq!(automation::config::switch(text, &id("a"), true).unwrap(), None);
    assert_eq!(automation::config::switch(text, &id("b"), false).unwrap(), None);
    assert!(automation::config::switch(text, &id("c"), false).is_err());
}

#[test]
fn a_thousand_automations_are_loaded_each_with_its_place() {
    let place = place();
    let line = |n: usize| {
        format!(
            r#"{{"id": "hook-{n}", "trigger": "onDidSaveTextDocument", "pattern": "src/{n}/**", "prompt": "Look at {{filePath}}", "secretPatterns": ["corp-{n}-[0-9]+"], "runner": "claude"}}"#
        )
    };
    let lines: Vec<String> = (0..1000).map(line).collect();
    write(&place.workspace, SourceFile::Akira, &format!("{{\"hooks\": [\n{}\n]}}\n", lines.join(",\n")));
    let (mut configuration, loaded) = Configuration::load(&place.workspace);
    assert_eq!(loaded.problems, []);
    assert_eq!(configuration.automations().count(), 1000);
    for n in [0, 499, 999] {
        let found = configuration.get(&id(&format!("hook-{n}"))).unwrap();
        assert_eq!((found.origin.index, found.origin.line), (n, n + 2));
    }
    // A mistake in the last of them is reported with its place, and all stay as they were.
    let broken = lines.join(",\n").replace("\"hook-999\"", "\"hook-998\"");
    write(&place.workspace, SourceFile::Akira, &format!("{{\"hooks\": [\n{broken}\n]}}\n"));
    let loaded = configuration.reload(&place.workspace);
    assert_eq!(
        loaded.problems[0].log_line(),
        ".akira/hooks.json:1001:8: error: duplicate id `hook-998`, first in line 1000 (hint: give each automation a unique id)"
    );
    assert_eq!(configuration.automations().count(), 1000);
}

#[test]
fn every_mistake_is_told_with_its_file_its_line_and_its_column() {
    let akira = |field: &str| {
        format!(
            "{{\"hooks\": [\n  {{\"id\": \"a\", \"trigger\": \"Stop\", \"prompt\": \"x\",\n   {field}}}\n]}}"
        )
    };
    let gatomia = |action: &str| {
        let trigger = r#"{"agent": "speckit", "operation": "plan"}"#;
        format!("[\n  {{\"id\": \"a\", \"trigger\": {trigger},\n   \"action\": {action}}}\n]")
    };
    let (first, second) = (SourceFile::Akira, SourceFile::Gatomia);
    let mut told = String::new();
    for (source, text) in [
        (first, "{\n\"hooks\": [\n  {]\n}".to_owned()),
        (first, "{\n  \"schemaVersion\": \"one\", \"hooks\": []}".to_owned()),
        (first, "{\n  \"schemaVersion\": 7, \"hooks\": []}".to_owned()),
        (first, akira(r#""enabled": 1"#)),
        (first, akira(r#""concurrency": 1.5"#)),
        (first, akira(r#""timeoutMs": "1s""#)),
        (first, akira(r#""retry": 3"#)),
        (first, akira(r#""retry": {"count": 101}"#)),
        (first, akira(r#""rateLimit": {"runs": 0, "perMs": 1}"#)),
        (first, akira(r#""secretPatterns": ["ok", "[a"]"#)),
        (first, akira(r#""secretPatterns": "x""#)),
        (first, akira(r#""runner": {"type": "shell"}"#)),
        (first, akira(r#""runner": {"type": "command", "command": []}"#)),
        (first, akira(r#""runner": {"type": "http", "url": "ftp://x"}"#)),
        (first, akira(r#""metadata": []"#)),
        (second, gatomia(r#"{"type": "mcp", "parameters": {"toolName": "t"}}"#)),
        (second, gatomia(r#"{"type": "github", "parameters": {"operation": "merge"}}"#)),
        (second, gatomia("7")),
    ] {
        let (configuration, loaded) = load(source, &text);
        assert_eq!(configuration.automations().count(), 0, "{text}");
        for problem in &loaded.problems {
            assert!(problem.excerpt.is_some(), "{problem}");
            told.push_str(&(problem.log_line() + "\n"));
        }
    }
    expect![[r#"
        .akira/hooks.json:3:4: error: cannot parse JSON: expected a key in double quotes
        .akira/hooks.json:2:20: error: `schemaVersion` must be a whole number (hint: write `"schemaVersion": 1`)
        .akira/hooks.json:2:20: error: format 7 is newer than this build's format 1 (hint: update steersman)
        .akira/hooks.json:3:15: error: `hooks[0].enabled` must be true or false, not a number
        .akira/hooks.json:3:19: error: `hooks[0].concurrency` must be a whole number from 1 to 1000, not 1.5
        .akira/hooks.json:3:17: error: `hooks[0].timeoutMs` must be a whole number from 1000 to 86400000, not a string
        .akira/hooks.json:3:13: error: `hooks[0].retry` must be an object, not a number
        .akira/hooks.json:3:23: error: `hooks[0].retry.count` must be a whole number from 0 to 100, not 101
        .akira/hooks.json:3:26: error: `hooks[0].rateLimit.runs` must be a whole number from 1 to 4294967295, not 0
        .akira/hooks.json:3:29: error: secret pattern `[a` is not a regular expression: unclosed character class
        .akira/hooks.json:3:22: error: `hooks[0].secretPatterns` must be an array of strings, not a string (hint: write `["x"]`)
        .akira/hooks.json:3:23: error: `hooks[0].runner.type` must be one of `claude`, `copilot`, `codex`, `gemini`, `command`, `http`, not `shell`
        .akira/hooks.json:3:45: error: `hooks[0].runner.command` must name a program (hint: write an array of strings: the program and its arguments; no shell reads them)
        .akira/hooks.json:3:38: error: `hooks[0].runner.url` is not a URL of a server (hint: write one that starts with `http://` or `https://`)
        .akira/hooks.json:3:16: error: `hooks[0].metadata` must be an object, not an array
        .vscode/gatomia/hooks.json:3:44: error: missing key `hooks[0].action.parameters.serverId` (hint: add `"serverId": …`)
        .vscode/gatomia/hooks.json:3:61: error: `hooks[0].action.parameters.operation` must be one of `open-issue`, `close-issue`, `create-pr`, `add-comment`, not `merge`
        .vscode/gatomia/hooks.json:3:14: error: `hooks[0].action` must be an object, not a number
    "#]].assert_eq(&told);
}
