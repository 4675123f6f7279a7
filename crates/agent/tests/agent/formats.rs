//! Tests of the formats, with the specifications' and real examples.

use std::time::Duration;

use agent::{Builtin, COMPLETE, Command, Config, Format, ProviderName, Strictness, load_config};
use config_file::Source;
use expect_test::expect;
use host::AgentCli;

use crate::project::{definition, load_text, shown};

const PLANNER: &str = include_str!("planner.yaml");
const DEVELOPER: &str = include_str!("developer.md");

#[test]
fn a_definition_with_every_field_of_the_document_loads() {
    let planner = definition(".rawko/agents/planner.yaml", PLANNER);
    assert_eq!(planner.name, "planner");
    assert_eq!(planner.display_name.as_deref(), Some("Planning Agent"));
    assert!(planner.when_to_use.unwrap().starts_with("Choose this one when:\n- a task begins\n"));
    assert!(planner.system_prompt.starts_with("# Planning\n"));
    assert_eq!(planner.tools.allowed.unwrap(), ["Read", "Glob", "Grep", "Bash"]);
    assert_eq!(planner.tools.blocked, ["Write", "Edit"]);
    assert_eq!(planner.tools.bash_filter.allowed_commands.len(), 3);
    assert_eq!(planner.tools.bash_filter.blocked_patterns[2].as_str(), "> ");
    assert_eq!(planner.transitions.on_success, "developer");
    assert_eq!(planner.transitions.on_failure.as_deref(), Some("planner"));
    assert_eq!(planner.transitions.on_max_iterations.as_deref(), Some("developer"));
    assert_eq!(planner.transitions.custom[0].condition.to_string(), "output contains 'needs research'");
    assert_eq!(planner.transitions.custom[0].target, "researcher");
    assert_eq!(planner.limits.max_iterations, Some(5));
    assert_eq!(planner.limits.timeout, Some(Duration::from_mins(1)));
    assert_eq!(planner.limits.max_tokens, Some(4096));
    let provider = planner.provider.unwrap();
    assert_eq!(
        (provider.name, provider.model.as_deref()),
        (ProviderName::Cli(AgentCli::Claude), Some("claude-sonnet-4"))
    );
    assert_eq!(planner.metadata["priority"], 1);
    assert_eq!(planner.metadata["tags"][0], "read-only");
}

#[test]
fn sections_of_a_markdown_agent_become_its_fields() {
    let developer = definition(".rawko/agents/developer.md", DEVELOPER);
    assert!(developer.when_to_use.unwrap().starts_with("Choose this one when a plan stands:"));
    assert!(developer.system_prompt.starts_with("You follow the plan"));
    assert!(developer.system_prompt.ends_with("- Test what you changed"));
    assert_eq!(developer.limits.max_iterations, Some(20));
}

#[test]
fn the_minimal_example_has_the_documents_defaults() {
    let text =
        "name: simple\nsystemPrompt: You are a helpful assistant.\ntransitions:\n  onSuccess: complete\n";
    let simple = definition("simple.yaml", text);
    assert_eq!(simple.transitions.on_success, COMPLETE);
    assert_eq!(simple.transitions.on_failure, None);
    assert_eq!(simple.tools.allowed, None);
    assert_eq!(simple.limits, agent::RunLimits::default());
    assert_eq!(simple.provider, None);
    assert_eq!(simple.profile.name, "Simple");
}

#[test]
fn an_agent_md_with_only_a_description_and_tools_loads() {
    let text =
        "---\ndescription: 'Reviews code'\ntools: ['codebase', 'search', 'github/*']\n---\nYou review.\n";
    let loaded = load_text(".github/agents/team/code-reviewer.agent.md", text);
    assert_eq!(loaded.problems, []);
    let reviewer = loaded.document.unwrap().definition;
    assert_eq!(reviewer.name, "code-reviewer");
    assert_eq!(reviewer.profile.id, "code-reviewer");
    assert_eq!(reviewer.profile.name, "Code Reviewer");
    assert_eq!(reviewer.profile.commands, [Command::help()]);
    assert_eq!(reviewer.system_prompt, "You review.");
    assert_eq!(reviewer.tools.strictness, Strictness::Foreign);
}

#[test]
fn an_agent_md_keeps_what_it_says_of_itself() {
    let text = "---\nid: spec-writer\nname: Spec Writer\nfullName: The Writer of Specs\ndescription: Writes\nicon: pen\nmodel: gpt-5\nhandoffs:\n  - label: Go\n    agent: coder\ncommands:\n  - name: /write\n    description: Write it\n    tool: agent.write\n    parameters:\n      - name: topic\n  - name: help\n    description: Help\n    tool: agent.help\nresources:\n  prompts: [a.prompt.md]\n  skills: [s]\n---\nBody\n";
    let writer = definition("x.agent.md", text);
    assert_eq!(writer.profile.id, "spec-writer");
    assert_eq!(writer.profile.full_name, "The Writer of Specs");
    let names: Vec<_> = writer.profile.commands.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["write", "help"]);
    assert_eq!(writer.profile.commands[0].parameters[0]["name"], "topic");
    assert_eq!(writer.profile.resources.prompts, ["a.prompt.md"]);
    assert_eq!(writer.metadata["model"], "gpt-5");
    assert_eq!(writer.metadata["handoffs"][0]["agent"], "coder");
}

#[test]
fn a_missing_description_is_taken_from_the_first_paragraph_with_a_warning() {
    let loaded = load_text("x.agent.md", "---\ntools: []\n---\n# X\n\nFinds *bugs*.\n");
    expect![[r#"
        warning: missing key `description`, using the first paragraph
          --> x.agent.md:2:1
           |
         2 | tools: []
           | ^
        hint: describe the agent's purpose in one sentence
    "#]]
    .assert_eq(&shown(&loaded));
    assert_eq!(loaded.document.unwrap().definition.profile.description, "Finds bugs.");
}

#[test]
fn fields_that_are_almost_yaml_are_read_as_their_host_reads_them() {
    let text = "---\nname: code-reviewer\ndescription: Use this agent when: a change is done. Examples: <example>user: \"review\"</example>\ntools: Read, Grep, Bash(git:*)\nmodel: opus\ncolor: red\n---\n\nYou are a reviewer.\n";
    let loaded = load_text(".claude/agents/code-reviewer.md", text);
    expect![[r#"
        warning: cannot parse YAML: mapping values are not allowed in this context; reading line by line instead
          --> .claude/agents/code-reviewer.md:3:33
           |
         3 | description: Use this agent when: a change is done. Examples: <example>user: "review"</example>
           |                                 ^
        hint: quote the string, or write it below a `|`: it contains a colon
    "#]]
    .assert_eq(&shown(&loaded));
    let reviewer = loaded.document.unwrap().definition;
    assert!(reviewer.when_to_use.unwrap().starts_with("Use this agent when: a change is done. Examples:"));
    assert_eq!(reviewer.tools.allowed.unwrap(), ["Read", "Grep", "Bash(git:*)"]);
    assert_eq!(reviewer.provider.unwrap().model.as_deref(), Some("opus"));
}

#[test]
fn a_file_without_fields_is_an_agent_of_its_text_alone() {
    let agent = definition(".github/agents/helper.agent.md", "# Helper\n\nHelps with things.\n");
    assert_eq!((agent.name.as_str(), agent.profile.description.as_str()), ("helper", "Helps with things."));
}

#[test]
fn a_code_fence_around_the_whole_file_is_taken_off() {
    let text =
        "````chatagent\n---\ndescription: Plans\ntools: [search]\n---\nPlan.\n\n```\ncode\n```\n````\n";
    let loaded = load_text(".github/agents/plan.agent.md", text);
    assert_eq!(loaded.problems, []);
    let plan = loaded.document.unwrap().definition;
    assert_eq!(plan.tools.allowed.unwrap(), ["search"]);
    assert_eq!(plan.system_prompt, "Plan.\n\n```\ncode\n```");
}

#[test]
fn the_format_follows_from_the_path() {
    for (path, format) in [
        (".rawko/agents/a.yaml", Some(Format::WorkflowYaml)),
        (".rawko/agents/a.yml", Some(Format::WorkflowYaml)),
        (".rawko/agents/a.md", Some(Format::WorkflowMarkdown)),
        ("/p/.github/agents/x/a.agent.md", Some(Format::AgentMd)),
        (".claude/agents/a.md", Some(Format::Claude)),
        ("/p/.claude/agents/team/a.md", Some(Format::Claude)),
        ("a.txt", None),
    ] {
        assert_eq!(Format::of(path), format, "{path}");
    }
}

#[test]
fn the_configuration_has_defaults_for_everything() {
    let loaded = load_config(&Source::new("config.yaml", ""));
    assert_eq!((loaded.config, loaded.problems), (Some(Config::default()), Vec::new()));
    assert_eq!(Config::default().constraints.max_iterations, 50);
}

#[test]
fn the_configuration_is_read_strictly() {
    let text = "version: 1\nprovider:\n  default: claude\n  claude: {model: opus, maxTokens: 100}\nagents: {default: planner, directory: agents}\nconstraints: {maxIterations: 7, maxFailures: 2, timeoutMs: 1000}\nlogging: {level: info, format: json, file: x.log}\ntools:\n  bash: {globalBlockedPatterns: ['rm -rf']}\n  custom: [deploy]\n";
    let config = load_config(&Source::new("config.yaml", text)).config.unwrap();
    assert_eq!(config.provider.default, Some(ProviderName::Cli(AgentCli::Claude)));
    assert_eq!(config.provider.settings[0].1.max_tokens, Some(100));
    assert_eq!(config.constraints.timeout, Duration::from_secs(1));
    assert_eq!(config.custom_tools, ["deploy"]);
    let text = "version: 2\nagents: {directory: ../x}\nconstraint: {}\nlogging: {level: loud}\n";
    let loaded = load_config(&Source::new("config.yaml", text));
    let told: Vec<_> = loaded.problems.iter().map(ToString::to_string).collect();
    expect![[r#"
        error: format 2 is newer than this build's format 1
          --> config.yaml:1:10
           |
         1 | version: 2
           |          ^
        hint: update steersman

        error: `agents.directory` must be a folder within `.rawko/`
          --> config.yaml:2:21
           |
         2 | agents: {directory: ../x}
           |                     ^^^^
        hint: write a path relative to `.rawko/`, such as `agents`

        warning: unknown key `constraint`
          --> config.yaml:3:1
           |
         3 | constraint: {}
           | ^^^^^^^^^^
        hint: did you mean `constraints`?

        error: `logging.level` must be one of `debug`, `info`, `warn`, `error`, not `loud`
          --> config.yaml:4:18
           |
         4 | logging: {level: loud}
           |                  ^^^^
    "#]]
    .assert_eq(&told.join("\n"));
    assert_eq!(loaded.config, None);
}

#[test]
fn every_built_in_tool_has_its_name() {
    for tool in Builtin::ALL {
        assert_eq!(Builtin::from_name(tool.as_str()), Some(tool));
    }
}
