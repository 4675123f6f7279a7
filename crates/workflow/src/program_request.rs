//! The command line of each agent program: its flags for prompt, role, model and tools.

use std::ffi::OsString;
use std::path::PathBuf;

use agent::{ProviderName, ProviderTools};
use host::AgentCli;
use redact::Redacted;
use runner::Invocation;

use crate::agent_program::Permission;

/// A request to an agent program.
#[derive(Debug)]
pub struct ProgramRequest<'a> {
    /// The system prompt of the agent.
    pub role: &'a Redacted,
    /// The task and the transcript.
    pub prompt: &'a Redacted,
    /// The model, as the program spells it.
    pub model: Option<&'a str>,
    /// The agent whose tools the program may use; `None` (an arbiter) allows no tools.
    pub agent: Option<&'a agent::Definition>,
    /// Whether the request may approve tools beforehand.
    pub permission: Permission,
}

/// The longest string passed as an argument. Linux limits one argument to 128 KiB.
const MAX_ARGUMENT: usize = 100 * 1024;

/// Returns the command line for a request. `args` are the arguments of the user's own command;
/// the other programs get their own flags.
pub fn invocation(
    provider: ProviderName,
    program: PathBuf,
    args: &[String],
    request: &ProgramRequest<'_>,
) -> Invocation {
    let tools = match request.agent {
        Some(definition) => ProviderTools::of(definition, provider),
        None => ProviderTools::default(),
    };
    let approved: &[String] =
        if request.permission == Permission::Approved { &tools.approved } else { Default::default() };
    let joined = || format!("{}\n\n{}", request.role, request.prompt).into_bytes();
    let mut arguments: Vec<OsString> = Vec::new();
    let mut push = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    let stdin = match provider {
        ProviderName::Cli(AgentCli::Claude) => {
            push(&["-p", "--output-format", "stream-json", "--verbose"]);
            if let Some(model) = request.model {
                push(&["--model", model]);
            }
            if !approved.is_empty() {
                push(&["--allowedTools", &approved.join(",")]);
            }
            if !tools.denied.is_empty() {
                push(&["--disallowedTools", &tools.denied.join(",")]);
            }
            if request.role.as_str().len() > MAX_ARGUMENT {
                joined()
            } else {
                push(&["--append-system-prompt", request.role.as_str()]);
                request.prompt.as_str().as_bytes().to_vec()
            }
        }
        ProviderName::Cli(AgentCli::Copilot) => {
            push(&["-s", "--no-ask-user", "--no-color"]);
            if let Some(model) = request.model {
                push(&[&format!("--model={model}")]);
            }
            for tool in approved {
                push(&[&format!("--allow-tool={tool}")]);
            }
            for tool in &tools.denied {
                push(&[&format!("--deny-tool={tool}")]);
            }
            let text = format!("{}\n\n{}", request.role, request.prompt);
            if text.len() > MAX_ARGUMENT {
                text.into_bytes()
            } else {
                push(&["-p", &text]);
                Vec::new()
            }
        }
        ProviderName::Cli(AgentCli::Codex) => {
            push(&["exec", "--json", "--skip-git-repo-check", "--color", "never"]);
            if let Some(model) = request.model {
                push(&["--model", model]);
            }
            let writes = tools.writes && request.permission == Permission::Approved;
            push(&["--sandbox", if writes { "workspace-write" } else { "read-only" }, "-"]);
            joined()
        }
        ProviderName::Cli(AgentCli::Gemini) => {
            push(&["--output-format", "json"]);
            if let Some(model) = request.model {
                push(&["--model", model]);
            }
            if !approved.is_empty() {
                push(&["--allowed-tools", &approved.join(",")]);
            }
            joined()
        }
        ProviderName::Command => {
            arguments.extend(args.iter().map(OsString::from));
            joined()
        }
    };
    Invocation { program, args: arguments, stdin }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent::{Format, ToolNames, load};
    use config_file::Source;

    fn args(provider: ProviderName, permission: Permission) -> (Vec<String>, String) {
        let text = "name: a\nsystemPrompt: x\ntools:\n  allowed: [Read, Bash, Edit]\n  bashFilter: {allowedCommands: [git, ls]}\ntransitions: {onSuccess: complete}\n";
        let loaded = load(&Source::new("a.yaml", text), Format::WorkflowYaml, &ToolNames::default());
        let definition = loaded.document.unwrap().definition;
        let request = ProgramRequest {
            role: &Redacted::from_text("You plan"),
            prompt: &Redacted::from_text("look at `it`; rm -rf $HOME"),
            model: Some("m1"),
            agent: Some(&definition),
            permission,
        };
        let invocation = invocation(provider, "/bin/it".into(), &["agent.sh".to_owned()], &request);
        let args = invocation.args.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        (args, String::from_utf8(invocation.stdin).unwrap())
    }

    #[test]
    fn every_program_is_asked_in_its_own_words() {
        let joined = "You plan\n\nlook at `it`; rm -rf $HOME";
        for (provider, expected, stdin) in [
            (
                ProviderName::Cli(AgentCli::Claude),
                "-p|--output-format|stream-json|--verbose|--model|m1|--allowedTools|Bash(git:*),Bash(ls:*),Edit,Read|--disallowedTools|Glob,Grep,WebFetch,WebSearch,Write|--append-system-prompt|You plan",
                "look at `it`; rm -rf $HOME",
            ),
            (
                ProviderName::Cli(AgentCli::Copilot),
                "-s|--no-ask-user|--no-color|--model=m1|--allow-tool=shell(git:*)|--allow-tool=shell(ls:*)|--allow-tool=write|-p|You plan\n\nlook at `it`; rm -rf $HOME",
                "",
            ),
            (
                ProviderName::Cli(AgentCli::Codex),
                "exec|--json|--skip-git-repo-check|--color|never|--model|m1|--sandbox|workspace-write|-",
                joined,
            ),
            (
                ProviderName::Cli(AgentCli::Gemini),
                "--output-format|json|--model|m1|--allowed-tools|list_directory,read_file,read_many_files,replace,run_shell_command",
                joined,
            ),
            (ProviderName::Command, "agent.sh", joined),
        ] {
            let (args, given) = args(provider, Permission::Approved);
            assert_eq!((args.join("|").as_str(), given.as_str()), (expected, stdin), "{provider:?}");
        }
    }

    #[test]
    fn nothing_is_approved_beforehand_in_a_workspace_nobody_trusts() {
        for provider in ProviderName::ALL {
            let (args, _) = args(provider, Permission::NotApproved);
            let all = args.join("|");
            for word in ["--allowedTools", "--allow-tool", "--allowed-tools", "workspace-write"] {
                assert!(!all.contains(word), "{all}");
            }
        }
    }
}
