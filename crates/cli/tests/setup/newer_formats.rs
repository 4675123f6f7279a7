//! No command rewrites a file whose format a newer build wrote.

use crate::project::Project;

const MANIFEST: &str = ".ai/hooks/dispatch.manifest.json";
const CONFIG: &str = ".ai/hooks/config.json";
const AUTOMATIONS: &str = ".akira/hooks.json";
const INTENTS: &str = ".orchestration/active_intents.yaml";
const SELECTION: &str = ".ai/tmp/intent.json";

const HOOKS: &str =
    r#"{"schemaVersion": 99, "hooks": [{"id": "a", "trigger": "x", "prompt": "p", "runner": "claude"}]}"#;
const KIRO: &str = r#"{"name": "k", "when": {"type": "fileEdited", "patterns": ["*.ts"]}, "then": {"type": "askAgent", "prompt": "x"}}"#;
const INTENT: &str = "version: 99\nintents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    owned_scope: [\"src/**\"]\n";

#[test]
fn a_command_that_edits_a_file_refuses_a_newer_format() {
    for (file, text, command) in [
        (MANIFEST, r#"{"version": 99, "modules": {}}"#, "module off shell-guard"),
        (MANIFEST, r#"{"version": 99, "modules": {}}"#, "init --module my-rule --yes"),
        (CONFIG, r#"{"version": 99}"#, "init --approve read-only --host claude-code --yes"),
        (CONFIG, r#"{"version": 99}"#, "init --ask-wait 60 --host claude-code --yes"),
        (AUTOMATIONS, HOOKS, "automation disable a"),
        (AUTOMATIONS, HOOKS, "automation import"),
        (INTENTS, INTENT, "intent new B --scope lib/**"),
        (INTENTS, INTENT, "intent status INT-001 IN_PROGRESS"),
        (INTENTS, INTENT, "intent expand INT-001 lib/**"),
        (SELECTION, r#"{"version": 99, "intentId": "INT-001"}"#, "intent clear"),
    ] {
        let project = Project::new();
        project.write(".kiro/hooks/k.kiro.hook", KIRO);
        project.write(file, text);
        let said = project.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(project.read(file), text, "{command}: {}", said.all());
        assert_ne!(said.exit, 0, "{command}: {}", said.all());
        assert!(said.stderr.contains("format 99 is newer"), "{command}: {}", said.all());
    }
}
