//! The agent programs and the command line each one needs to run without a terminal.
//!
//! The flags are those of the programs' own references: Claude Code `-p`, Copilot CLI
//! "programmatic reference", `codex exec`, Gemini CLI "headless mode".

use std::ffi::OsString;
use std::path::PathBuf;

use host::AgentCli;

use crate::{Invocation, Request};

/// The longest prompt passed as an argument. Linux limits one argument to 128 KiB.
const MAX_ARGUMENT: usize = 100 * 1024;

impl Invocation {
    /// Returns the command line that sends `request` to the agent program at `program`.
    pub fn of_agent(cli: AgentCli, program: PathBuf, request: &Request<'_>) -> Self {
        match cli {
            AgentCli::Claude => claude(program, request),
            AgentCli::Copilot => copilot(program, request),
            AgentCli::Codex => codex(program, request),
            AgentCli::Gemini => gemini(program, request),
        }
    }
}

/// `-p` without a prompt reads it from stdin.
fn claude(program: PathBuf, request: &Request<'_>) -> Invocation {
    let mut args = words(["-p", "--output-format", "text"]);
    if let Some(model) = request.model {
        args.extend(words(["--model", model]));
    }
    if let Some(system) = request.system {
        args.extend(words(["--append-system-prompt", system.as_str()]));
    }
    for (flag, tools) in [("--allowedTools", request.approved()), ("--disallowedTools", request.denied())] {
        if !tools.is_empty() {
            args.extend(words([flag, &tools.join(",")]));
        }
    }
    if let Some(mode) = request.permission_mode {
        args.extend(words(["--permission-mode", mode]));
    }
    args.extend(further(request));
    Invocation { program, args, stdin: request.prompt.as_str().as_bytes().to_vec() }
}

/// Passes the prompt as one argument, or on stdin if it is too long for an argument.
fn copilot(program: PathBuf, request: &Request<'_>) -> Invocation {
    let mut args = words(["-s", "--no-ask-user"]);
    if let Some(model) = request.model {
        args.push(format!("--model={model}").into());
    }
    for (flag, tools) in [("--allow-tool", request.approved()), ("--deny-tool", request.denied())] {
        args.extend(tools.iter().map(|tool| OsString::from(format!("{flag}={tool}"))));
    }
    args.extend(further(request));
    let prompt = request.joined();
    if prompt.len() > MAX_ARGUMENT {
        return Invocation { program, args, stdin: prompt.into_bytes() };
    }
    args.extend(words(["-p", &prompt]));
    Invocation { program, args, stdin: Vec::new() }
}

/// `-` reads the prompt from stdin. Codex has no tool list, only a sandbox that is
/// read-only or not.
fn codex(program: PathBuf, request: &Request<'_>) -> Invocation {
    let mut args = words(["exec", "--skip-git-repo-check", "--color", "never"]);
    if let Some(model) = request.model {
        args.extend(words(["--model", model]));
    }
    // An agent that must not write does not write, whatever the mode of the runner.
    let of_tools = request.tools.map(|it| if it.writes { "workspace-write" } else { "read-only" });
    let is_read_only = of_tools == Some("read-only");
    if let Some(sandbox) = request.permission_mode.filter(|_| !is_read_only).or(of_tools) {
        args.extend(words(["--sandbox", sandbox]));
    }
    args.extend(further(request));
    args.push("-".into());
    Invocation { program, args, stdin: request.joined().into_bytes() }
}

/// Without a terminal Gemini reads stdin and answers once.
fn gemini(program: PathBuf, request: &Request<'_>) -> Invocation {
    let mut args = words(["--output-format", "text"]);
    if let Some(model) = request.model {
        args.extend(words(["--model", model]));
    }
    if !request.approved().is_empty() {
        args.extend(words(["--allowed-tools", &request.approved().join(",")]));
    }
    if let Some(mode) = request.permission_mode {
        args.extend(words(["--approval-mode", mode]));
    }
    args.extend(further(request));
    Invocation { program, args, stdin: request.joined().into_bytes() }
}

/// Returns the further arguments.
fn further(request: &Request<'_>) -> impl Iterator<Item = OsString> {
    request.args.iter().map(OsString::from)
}

fn words<const N: usize>(words: [&str; N]) -> Vec<OsString> {
    words.into_iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use redact::Redacted;

    use super::*;
    use crate::RequestTools;

    fn check(cli: AgentCli, args: &[&str], stdin: &str) {
        let prompt = Redacted::from_text("look at `it`; rm -rf $HOME");
        let system = Redacted::from_text("You review");
        let approved = ["Read".to_owned(), "Bash(git diff:*)".to_owned()];
        let tools = RequestTools { approved: &approved, denied: &["Edit".to_owned()], writes: true };
        let request = Request {
            system: Some(&system),
            model: Some("m1"),
            tools: Some(tools),
            args: &["--verbose".to_owned()],
            permission_mode: (cli != AgentCli::Copilot).then_some("plan"),
            ..Request::new(&prompt)
        };
        let invocation = Invocation::of_agent(cli, "/bin/it".into(), &request);
        assert_eq!(invocation.args, args);
        assert_eq!(String::from_utf8(invocation.stdin).unwrap(), stdin);
    }

    #[test]
    fn every_program_is_asked_in_its_own_words_and_a_prompt_is_never_more_than_one() {
        check(
            AgentCli::Claude,
            &[
                "-p",
                "--output-format",
                "text",
                "--model",
                "m1",
                "--append-system-prompt",
                "You review",
                "--allowedTools",
                "Read,Bash(git diff:*)",
                "--disallowedTools",
                "Edit",
                "--permission-mode",
                "plan",
                "--verbose",
            ],
            "look at `it`; rm -rf $HOME",
        );
        check(
            AgentCli::Copilot,
            &[
                "-s",
                "--no-ask-user",
                "--model=m1",
                "--allow-tool=Read",
                "--allow-tool=Bash(git diff:*)",
                "--deny-tool=Edit",
                "--verbose",
                "-p",
                "You review\n\nlook at `it`; rm -rf $HOME",
            ],
            "",
        );
        check(
            AgentCli::Codex,
            &[
                "exec",
                "--skip-git-repo-check",
                "--color",
                "never",
                "--model",
                "m1",
                "--sandbox",
                "plan",
                "--verbose",
                "-",
            ],
            "You review\n\nlook at `it`; rm -rf $HOME",
        );
        check(
            AgentCli::Gemini,
            &[
                "--output-format",
                "text",
                "--model",
                "m1",
                "--allowed-tools",
                "Read,Bash(git diff:*)",
                "--approval-mode",
                "plan",
                "--verbose",
            ],
            "You review\n\nlook at `it`; rm -rf $HOME",
        );
    }

    #[test]
    fn a_prompt_that_is_no_argument_any_more_is_piped() {
        let prompt = Redacted::from_text(&"long ".repeat(40_000));
        let invocation = Invocation::of_agent(AgentCli::Copilot, "/bin/it".into(), &Request::new(&prompt));
        assert_eq!(invocation.args, ["-s", "--no-ask-user"]);
        assert_eq!(invocation.stdin.len(), 200_000);
    }

    #[test]
    fn codex_may_write_only_if_its_agent_may() {
        for (writes, sandbox) in [(false, "read-only"), (true, "workspace-write")] {
            let prompt = Redacted::nothing_secret("x");
            let tools = RequestTools { approved: &[], denied: &[], writes };
            let request = Request { tools: Some(tools), ..Request::new(&prompt) };
            let invocation = Invocation::of_agent(AgentCli::Codex, "/bin/it".into(), &request);
            assert!(invocation.args.contains(&sandbox.into()), "{:?}", invocation.args);
        }
    }
}
