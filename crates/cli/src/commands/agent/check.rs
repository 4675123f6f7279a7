//! `steersman agent check NAME TOOL [INPUT]`

use agent::policy::{Permission, Rules};
use agent::registry::{SessionRules, rule};
use event::{ToolCall, ToolKind};
use host::Host;
use modules::agent_tools::known_tools;
use modules::shell_guard::Disk;
use serde_json::{Map, Value, json};

use crate::commands::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output::paint::{BAD, GOOD, paint};
use crate::output::{self, print};

/// Check whether an agent may make a tool call
///
/// Exits with 0 if it may, with 1 if it may not. Hooks make the same decision for the calls of a session that
/// the agent governs.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of the agent
    agent: String,
    /// The tool, by the name that any host uses for it: `Bash`, `run_in_terminal`, `mcp__github__get_issue`
    tool: String,
    /// The input of the call: a command line for a shell, JSON for other tools
    #[arg(allow_hyphen_values = true)]
    input: Option<String>,
    /// The host whose tool it is, if hosts use the name for different tools
    #[arg(long, value_name = "HOST", value_parser = host_name, default_value = "raw")]
    host: Host,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let root = place.workspace.root();
    let found = rule(root.as_path(), &args.agent, |config| known_tools(&config.custom_tools));
    let rules = match found.ruling {
        SessionRules::Rules(rules) => rules,
        SessionRules::Broken(problems) => {
            for problem in problems {
                output::note(problem.to_string().trim_end());
            }
            output::error(&format!("cannot read the permissions of the agent `{}`", args.agent));
            return Ok(Exit::No);
        }
        SessionRules::Undefined => {
            output::error(&format!("unknown agent `{}`", args.agent));
            output::hint("run `steersman agent list` for the agents of this project");
            return Ok(Exit::No);
        }
    };
    let call = match call(args) {
        Ok(call) => call,
        Err(problem) => {
            output::error(&problem);
            output::hint("pass a JSON object, or for a shell a command line");
            return Ok(Exit::Usage);
        }
    };
    let is_open_question = args.input.is_none() && call.kind == ToolKind::Shell;
    let rules = if is_open_question { without_filter(rules) } else { rules };
    let permission = judge(&rules, &call, place);
    answer(args, &call, &permission, is_open_question)?;
    Ok(if permission.is_allowed() { Exit::Fine } else { Exit::No })
}

fn judge(rules: &Rules, call: &ToolCall, place: &Place) -> Permission {
    let (root, folder) = (place.workspace.root().to_string(), place.folder.to_string());
    let home = environment::home().map(|it| it.to_string());
    let at = shell::Place {
        home: home.as_deref(),
        workspace: Some(&root),
        dialect: call.command.as_ref().map(|it| it.dialect).unwrap_or_default(),
        files: &Disk,
        git: &Disk,
        ..shell::Place::at(&folder)
    };
    rules.check(call, at)
}

/// Without a command line, the question is only whether the agent may use a shell at all.
fn without_filter(mut rules: Rules) -> Rules {
    rules.global_blocked_patterns.clear();
    if let Some(agent) = &mut rules.agent {
        agent.tools.bash_filter = agent::BashFilter::default();
    }
    rules
}

fn call(args: &Args) -> Result<ToolCall, String> {
    let empty = || Value::Object(Map::new());
    let is_shell = host::tool_call(args.host, &args.tool, empty()).kind == ToolKind::Shell;
    let input = match &args.input {
        None => empty(),
        Some(text) => match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) => value,
            _ if is_shell => json!({ "command": text }),
            Ok(_) => return Err(format!("`{text}` is not a JSON object")),
            Err(error) => return Err(format!("the input is not JSON: {error}")),
        },
    };
    Ok(host::tool_call(args.host, &args.tool, input))
}

fn answer(args: &Args, call: &ToolCall, permission: &Permission, is_open: bool) -> anyhow::Result<()> {
    if args.json {
        let mut answer = json!({
            "agent": args.agent,
            "tool": args.tool,
            "kind": call.kind.as_str(),
            "allowed": permission.is_allowed(),
        });
        if let Permission::Denied(denial) = permission {
            answer["reason"] = json!(denial.reason);
            answer["rule"] = json!(denial.rule.to_string());
            answer["instead"] = json!(denial.instead);
        }
        return output::json(&answer);
    }
    match permission {
        Permission::Allowed => {
            print(format_args!("{}: `{}` may use `{}`", paint(GOOD, "allowed"), args.agent, args.tool));
            if is_open {
                output::hint("pass a command line as the input to check it");
            }
        }
        Permission::Denied(denial) => {
            print(format_args!("{}: {}", paint(BAD, "denied"), denial.reason));
            print(format_args!("  rule: {}", denial.rule));
            output::hint(&denial.instead);
        }
    }
    Ok(())
}

fn host_name(text: &str) -> Result<Host, String> {
    Host::from_name(text)
        .ok_or_else(|| format!("unknown host `{text}`; `raw` stands for the tools of all hosts"))
}
