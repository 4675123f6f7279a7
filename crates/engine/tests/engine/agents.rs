//! Agents of the registry: they get their system prompt, or the run fails with the reason.

use automation::{Action, AgentChoice, AgentKind, Custom, RunnerChoice, Status, Template};
use host::AgentCli;

use crate::stage::{Stage, automation, called};

const REVIEWER: &str =
    "---\nid: code-reviewer\nname: Reviewer\ndescription: Reviews code\n---\nYou review code.\n";

fn hook(agent: AgentChoice) -> automation::Automation {
    let custom = Custom {
        agent,
        kind: None,
        prompt: Some(Template::new("Review it")),
        arguments: Some(Template::new("Triggered by {triggerType}")),
        tools: Vec::new(),
    };
    let mut hook = automation("a", Action::Custom(custom));
    hook.runner = Some(RunnerChoice::Cli(AgentCli::Claude.into()));
    hook
}

#[test]
fn an_agent_is_told_what_it_is_and_what_to_do() {
    for agent in [AgentChoice::Id("local:code-reviewer".into()), AgentChoice::Name("code-reviewer".into())] {
        let stage = Stage::new();
        std::fs::create_dir_all(stage.path(".github/agents")).unwrap();
        std::fs::write(stage.path(".github/agents/code-reviewer.agent.md"), REVIEWER).unwrap();
        stage.program("claude", "printf '%s\\n' \"$@\" > args; cat > stdin");
        let mut engine = stage.engine(&[hook(agent)]);
        engine.offer([called("a")]);
        engine.finish();
        assert_eq!(stage.records()[0].status, Status::Success, "{:?}", stage.records());
        assert!(
            stage.read("args").contains("--append-system-prompt\nYou review code."),
            "{}",
            stage.read("args")
        );
        assert_eq!(stage.read("stdin"), "Review it\n\nTriggered by a");
    }
}

#[test]
fn an_agent_that_cannot_be_called_fails_with_one_of_the_five_reasons() {
    for (agent, file, code) in [
        ("local:gone", "", "FILE_DELETED"),
        ("extension:gone-too", "", "EXTENSION_UNINSTALLED"),
        ("local:code-reviewer", "---\nid: [\n---\n", "INVALID_SCHEMA"),
        ("local:code-reviewer", REVIEWER, "CLI_NOT_INSTALLED"),
    ] {
        let mut stage = Stage::new();
        stage.settings.environment.set("PATH", stage.dir.path().join("bin"));
        if !file.is_empty() {
            std::fs::create_dir_all(stage.path(".github/agents")).unwrap();
            std::fs::write(stage.path(".github/agents/code-reviewer.agent.md"), file).unwrap();
        }
        let mut engine = stage.engine(&[hook(AgentChoice::Id(agent.into()))]);
        engine.offer([called("a")]);
        engine.finish();
        let record = stage.records().remove(0);
        assert_eq!(record.error.unwrap().code, code, "{agent}");
    }
}

#[test]
fn agents_are_found_where_the_project_s_configuration_says_with_the_tools_it_names() {
    let stage = Stage::new();
    std::fs::create_dir_all(stage.path(".rawko/roles")).unwrap();
    let config = "agents: {directory: roles}\ntools: {custom: [deploy]}\n";
    std::fs::write(stage.path(".rawko/config.yaml"), config).unwrap();
    let shipper = "name: shipper\nsystemPrompt: You ship it.\ntools: {allowed: [deploy]}\n\
                   transitions: {onSuccess: complete}\n";
    std::fs::write(stage.path(".rawko/roles/shipper.yaml"), shipper).unwrap();
    stage.program("claude", "printf '%s\\n' \"$@\" > args; cat > stdin");
    let mut engine = stage.engine(&[hook(AgentChoice::Name("shipper".into()))]);
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(stage.records()[0].status, Status::Success, "{:?}", stage.records());
    assert!(stage.read("args").contains("You ship it."), "{}", stage.read("args"));
    std::fs::remove_file(stage.path(".rawko/config.yaml")).unwrap();
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(
        stage.records()[1].error.as_ref().unwrap().code,
        "FILE_DELETED",
        "the configuration of now counts"
    );
}

/// A run must not use other tools, another model or another role than its agent's.
#[test]
fn an_agents_tools_model_and_name_reach_its_program() {
    let reviewer = "name: reviewer\nsystemPrompt: You review.\ntools: {allowed: [Read, Grep]}\n\
                    provider: {name: claude, model: m1}\ntransitions: {onSuccess: complete}\n";
    let mut stage = Stage::new();
    stage.settings.agent_variable = Some("AS");
    std::fs::create_dir_all(stage.path(".rawko/agents")).unwrap();
    std::fs::write(stage.path(".rawko/agents/reviewer.yaml"), reviewer).unwrap();
    stage.program("claude", "echo \"$@\" > args; echo \"$AS\" > as; cat > /dev/null");
    let mut engine = stage.engine(&[hook(AgentChoice::Id("local:reviewer".into()))]);
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(stage.records()[0].status, Status::Success, "{:?}", stage.records());
    let args = stage.read("args");
    for part in ["--model m1", "--allowedTools Grep,Read", "--disallowedTools Bash,Edit"] {
        assert!(args.contains(part), "{part}: {args}");
    }
    assert_eq!(stage.read("as"), "reviewer\n");
}

#[test]
fn an_agent_of_an_editor_extension_is_refused_instead_of_replaced() {
    let mut stage = Stage::new();
    let folder = stage.dir.path().join("extensions/a.b-1.0.0");
    std::fs::create_dir_all(&folder).unwrap();
    let package = r#"{"name": "b", "publisher": "a", "version": "1.0.0",
        "contributes": {"chatParticipants": [{"id": "a.helper", "name": "helper"}]}}"#;
    std::fs::write(folder.join("package.json"), package).unwrap();
    stage.settings.extension_folders = vec![stage.dir.path().join("extensions")];
    stage.program("claude", "echo ran > ran; cat > /dev/null");
    let mut engine = stage.engine(&[hook(AgentChoice::Name("helper".into()))]);
    engine.offer([called("a")]);
    engine.finish();
    let error = stage.records().remove(0).error.unwrap();
    assert_eq!(error.code, "EXTENSION_AGENT", "{error:?}");
    assert_eq!(stage.read("ran"), "", "no other agent got the prompt");
}

#[test]
fn the_agent_type_of_a_hook_decides_which_program_runs_the_agent() {
    let agent = |provider: &str| {
        format!("name: a\nsystemPrompt: x\n{provider}transitions: {{onSuccess: complete}}\n")
    };
    let codex = agent("provider: {name: codex}\n");
    for (kind, file, ran) in [
        (None, &codex, Ok("codex\n")),
        (Some(AgentKind::Background), &codex, Ok("codex\n")),
        (Some(AgentKind::Local), &codex, Ok("claude\n")),
        (None, &agent(""), Ok("claude\n")),
        (Some(AgentKind::Background), &agent(""), Err("NO_PROGRAM")),
    ] {
        let stage = Stage::new();
        std::fs::create_dir_all(stage.path(".rawko/agents")).unwrap();
        std::fs::write(stage.path(".rawko/agents/a.yaml"), file).unwrap();
        for program in ["claude", "codex"] {
            stage.program(program, &format!("echo {program} > ran; cat > /dev/null"));
        }
        let mut hook = hook(AgentChoice::Id("local:a".into()));
        let Action::Custom(custom) = &mut hook.action else { unreachable!() };
        custom.kind = kind;
        let mut engine = stage.engine(&[hook]);
        engine.offer([called("a")]);
        engine.finish();
        let error = stage.records().remove(0).error.map(|it| it.code);
        let found = error.as_deref().map_or_else(|| Ok(stage.read("ran")), Err);
        assert_eq!(found.as_deref(), ran.as_ref().copied(), "{kind:?} {file}");
    }
}
