//! Random workflows of up to four agents, driven by a script that succeeds and fails at random.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use agent::{AgentSet, Config, Constraints, Format, ProviderName, ToolNames, load};
use config_file::Source;
use event::AbsPath;
use proptest::prelude::*;
use runner::{Cancel, Environment};
use store::Workspace;
use workflow::{FirstAgent, FirstAgentChoice, Permission, RunId, RunResult, WorkflowRunner};

fn any_agent(index: usize) -> impl Strategy<Value = String> {
    let target = prop_oneof![(0..4_usize).prop_map(|it| format!("a{it}")), Just("complete".to_owned())];
    let maybe = proptest::option::of(target.clone());
    let custom = proptest::collection::vec(
        (prop_oneof!["output contains 'x'", "not output equals 'y'"], target.clone()),
        0..2,
    );
    let limit = proptest::option::of(1..4_u64);
    (target, maybe.clone(), maybe, custom, limit).prop_map(move |(success, failure, most, custom, limit)| {
        let mut text = format!("name: a{index}\nsystemPrompt: x\ntransitions:\n  onSuccess: {success}\n");
        text += &failure.map(|it| format!("  onFailure: {it}\n")).unwrap_or_default();
        text += &most.map(|it| format!("  onMaxIterations: {it}\n")).unwrap_or_default();
        if !custom.is_empty() {
            text += "  custom:\n";
        }
        for (condition, target) in custom {
            let _ = write!(text, "    - condition: \"{condition}\"\n      target: {target}\n");
        }
        text += &limit.map(|it| format!("limits:\n  maxIterations: {it}\n")).unwrap_or_default();
        text
    })
}

/// Prints the lines of `script`, one per call, starting over at the end; `!` fails instead.
const PLAYER: &str = "#!/bin/sh\ncat > /dev/null\nn=$(cat count 2>/dev/null || echo 0)\necho $((n + 1)) > count\nset -- $(cat script)\nshift $((n % $#))\ncase \"$1\" in !) echo no >&2; exit 1;; *) echo \"$1\";; esac\n";

#[test]
fn any_definition_that_validates_runs_to_an_end() {
    let word = prop_oneof![Just("x"), Just("y"), Just("z"), Just("!")];
    let texts = (any_agent(0), any_agent(1), any_agent(2), any_agent(3));
    let strategy = (texts, proptest::collection::vec(word, 1..8), 1..7_u64);
    testkit::prove_slowly(24, &strategy, |(texts, script, max_iterations)| {
        let folder = tempfile::tempdir().unwrap();
        let player = folder.path().join("player");
        fs::write(&player, PLAYER).unwrap();
        fs::set_permissions(&player, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("script"), script.join(" ")).unwrap();
        let texts = [texts.0, texts.1, texts.2, texts.3];
        let documents = texts.iter().map(|it| {
            load(&Source::new("a.yaml", it.as_str()), Format::WorkflowYaml, &ToolNames::default())
                .document
                .unwrap()
        });
        let set = AgentSet::new(documents);
        prop_assert!(set.is_valid());
        let mut config = Config { default_agent: Some("a0".to_owned()), ..Config::default() };
        config.provider.default = Some(ProviderName::Command);
        config.provider.command = vec!["./player".to_owned()];
        let workspace = Workspace::at(AbsPath::new(folder.path()).unwrap());
        let variables = BTreeMap::from([("PATH", "/usr/bin:/bin")]);
        let environment = Environment::from_variables(
            variables.into_iter().map(|(name, value)| (name.into(), value.into())),
        );
        let conduct = WorkflowRunner {
            workspace: &workspace,
            agents: &set.agents,
            config: &config,
            constraints: Constraints { max_iterations, ..Constraints::default() },
            environment: &environment,
            agent_variable: "STEERSMAN_AGENT",
            permission: Permission::Approved,
            cancel: &Cancel::new(),
            log: None,
        };
        let fate = conduct.first(None).unwrap();
        let first = FirstAgent { agent: "a0".to_owned(), chosen_by: "agents.default" };
        prop_assert_eq!(fate, FirstAgentChoice::Decided(first.clone()));
        let report = conduct.begin(&RunId::new(store::now(), "x"), "do it", &first, &mut |_| {}).unwrap();
        prop_assert!(report.result != RunResult::Interrupted);
        prop_assert_eq!(report.result == RunResult::Failed, report.reason.is_some());
        prop_assert!(u64::try_from(report.steps.len()).unwrap() <= max_iterations);
        prop_assert!(!report.steps.is_empty());
        Ok(())
    });
}
