//! How each program is asked: its own flags for the prompt, the role, the model and the tools.

use std::ffi::OsString;
use std::path::PathBuf;

use agent::ProviderName;
use redact::Redacted;
use runner::Invocation;

use crate::provider_tools::ProviderTools;
use crate::seat::Permission;

/// What a program is asked.
#[derive(Debug)]
pub struct Question<'a> {
    /// What the agent is told about itself.
    pub role: &'a Redacted,
    /// The task and what was said before.
    pub prompt: &'a Redacted,
    /// The model, in the program's own words.
    pub model: Option<&'a str>,
    /// Whose tools it may use; an arbiter uses none.
    pub agent: Option<&'a agent::Definition>,
    /// Whether tools may be approved beforehand.
    pub permission: Permission,
}

/// The longest text that is given as an argument. Linux takes 128 KiB for one.
const MAX_ARGUMENT: usize = 100 * 1024;

/// Returns how the program is started for a question. `words` are the arguments of a command
/// of the user's; the other programs have their own.
pub fn ask(
    provider: ProviderName,
    program: PathBuf,
    words: &[String],
    question: &Question<'_>,
) -> Invocation {
    let tools = match question.agent {
        Some(definition) => ProviderTools::of(definition, provider),
        None => ProviderTools::default(),
    };
    let approved: &[String] =
        if question.permission == Permission::Approved { &tools.approved } else { Default::default() };
    let joined = || format!("{}\n\n{}", question.role, question.prompt).into_bytes();
    let mut args: Vec<OsString> = Vec::new();
    let mut push = |words: &[&str]| args.extend(words.iter().map(OsString::from));
    let stdin = match provider {
        ProviderName::Claude => {
            push(&["-p", "--output-format", "stream-json", "--verbose"]);
            if let Some(model) = question.model {
                push(&["--model", model]);
            }
            if !approved.is_empty() {
                push(&["--allowedTools", &approved.join(",")]);
            }
            if !tools.denied.is_empty() {
                push(&["--disallowedTools", &tools.denied.join(",")]);
            }
            if question.role.as_str().len() > MAX_ARGUMENT {
                joined()
            } else {
                push(&["--append-system-prompt", question.role.as_str()]);
                question.prompt.as_str().as_bytes().to_vec()
            }
        }
        ProviderName::Copilot => {
            push(&["-s", "--no-ask-user", "--no-color"]);
            if let Some(model) = question.model {
                push(&[&format!("--model={model}")]);
            }
            for tool in approved {
                push(&[&format!("--allow-tool={tool}")]);
            }
            for tool in &tools.denied {
                push(&[&format!("--deny-tool={tool}")]);
            }
            let text = format!("{}\n\n{}", question.role, question.prompt);
            if text.len() > MAX_ARGUMENT {
                text.into_bytes()
            } else {
                push(&["-p", &text]);
                Vec::new()
            }
        }
        ProviderName::Codex => {
            push(&["exec", "--json", "--skip-git-repo-check", "--color", "never"]);
            if let Some(model) = question.model {
                push(&["--model", model]);
            }
            let writes = tools.writes && question.permission == Permission::Approved;
            push(&["--sandbox", if writes { "workspace-write" } else { "read-only" }, "-"]);
            joined()
        }
        ProviderName::Gemini => {
            push(&["--output-format", "json"]);
            if let Some(model) = question.model {
                push(&["--model", model]);
            }
            if !approved.is_empty() {
                push(&["--allowed-tools", &approved.join(",")]);
            }
            joined()
        }
        ProviderName::Command => {
            args.extend(words.iter().map(OsString::from));
            joined()
        }
    };
    Invocation { program, args, stdin }
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
        let question = Question {
            role: &Redacted::from_text("You plan"),
            prompt: &Redacted::from_text("look at `it`; rm -rf $HOME"),
            model: Some("m1"),
            agent: Some(&definition),
            permission,
        };
        let invocation = ask(provider, "/bin/it".into(), &["agent.sh".to_owned()], &question);
        let args = invocation.args.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        (args, String::from_utf8(invocation.stdin).unwrap())
    }

    #[test]
    fn every_program_is_asked_in_its_own_words() {
        let joined = "You plan\n\nlook at `it`; rm -rf $HOME";
        for (provider, expected, stdin) in [
            (
                ProviderName::Claude,
                "-p|--output-format|stream-json|--verbose|--model|m1|--allowedTools|Bash(git:*),Bash(ls:*),Edit,Read|--disallowedTools|Glob,Grep,WebFetch,WebSearch,Write|--append-system-prompt|You plan",
                "look at `it`; rm -rf $HOME",
            ),
            (
                ProviderName::Copilot,
                "-s|--no-ask-user|--no-color|--model=m1|--allow-tool=shell(git:*)|--allow-tool=shell(ls:*)|--allow-tool=write|-p|You plan\n\nlook at `it`; rm -rf $HOME",
                "",
            ),
            (
                ProviderName::Codex,
                "exec|--json|--skip-git-repo-check|--color|never|--model|m1|--sandbox|workspace-write|-",
                joined,
            ),
            (
                ProviderName::Gemini,
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
