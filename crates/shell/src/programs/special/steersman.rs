//! The commands of steersman itself: an agent may ask the guard, not switch it off.

use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// The tasks of the agents of a workspace.
const INTENTS: &str = ".orchestration/active_intents.yaml";

/// Who may run a command of steersman.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnCommand {
    /// Every program: it only prints. The list of proven calls has a row for it.
    Prints,
    /// An agent, too: it does an agent's work, and may start programs.
    Works,
    /// A person: it permits, trusts, registers or removes something.
    Governs,
}

/// Returns who may run a command of steersman; `subcommand` is empty if the command has none. Returns `None` for an
/// unknown command. A test of the command line checks that every command is known here.
pub fn own_command(command: &str, subcommand: &str) -> Option<OwnCommand> {
    match (command, subcommand) {
        (
            "" | "status" | "log" | "explain" | "doctor" | "schema" | "completions" | "redact" | "help"
            | "version",
            _,
        )
        | ("session", "" | "list" | "show" | "explain" | "replay" | "coverage")
        | ("trace", "" | "log" | "blame" | "verify" | "stats" | "export")
        | ("shell", "" | "explain" | "rules")
        | ("approve", "" | "stats")
        | ("intent", "" | "list" | "show" | "check" | "preview")
        | ("module" | "memory", "" | "list" | "show")
        | ("automation", "" | "list" | "show" | "validate" | "runs" | "history" | "logs")
        | ("plan", "" | "show")
        | ("agent", "" | "list" | "show" | "validate" | "check" | "graph") => Some(OwnCommand::Prints),
        ("intent", "select" | "clear")
        | ("agent" | "automation", "run")
        | ("plan", "mark" | "check")
        | ("trace", "anchor")
        | ("mcp", "" | "pins" | "pins check")
        | ("ask" | "dispatch", "")
        | ("emit" | "demo" | "hold" | "stop" | "run", _) => Some(OwnCommand::Works),
        ("ask", "allow" | "deny" | "notify")
        | ("plan", "new")
        | ("mcp", "pins accept")
        // An unknown subcommand of these may be an option's value in front of a known one.
        | (
            "init" | "uninstall" | "trust" | "untrust" | "release" | "serve" | "dispatch" | "session" | "intent"
            | "automation" | "memory" | "module",
            _,
        ) => Some(OwnCommand::Governs),
        _ => None,
    }
}

pub(crate) fn steersman(walker: &mut Walker<'_>, call: &Call, _args: &Args<'_>) -> Option<Class> {
    if let Some(command) = confined_command(call.rest()) {
        // Judged as if it were not confined: the command line itself chooses the scope.
        walker.invoke(command, call.span);
        return Some(Class::ReadOnly);
    }
    // The workspace may be named anywhere; its value is no command.
    let mut words = call.rest().iter();
    let mut named = Vec::new();
    let mut workspace = walker.place.workspace.map(str::to_owned).or_else(|| walker.cwd().map(str::to_owned));
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "--workspace" => workspace = words.next().map(|folder| walker.resolve(folder).0),
            option if option.starts_with('-') => {}
            word => named.push(word),
        }
    }
    let first = named.first().copied().unwrap_or_default();
    let second = match named.as_slice() {
        ["mcp", "pins", action @ ("check" | "accept"), ..] => format!("pins {action}"),
        [_, second, ..] => (*second).to_owned(),
        _ => String::new(),
    };
    let about = || format!("steersman {first} {second}").trim_end().to_owned();
    match (first, second.as_str()) {
        // A command that declares work or its progress writes files that govern the agents there.
        ("intent", "new" | "status") => {
            if let Some(workspace) = workspace {
                walker.write_path(&Text::known(format!("{workspace}/{INTENTS}")), call.span);
            }
            return None;
        }
        // An event is the host's to send: an agent that makes one up binds its session elsewhere.
        ("dispatch", event) if !event.is_empty() => {
            walker.risk(RuleId::GuardOff, about(), call.span);
            return None;
        }
        _ => {}
    }
    match own_command(first, &second) {
        Some(OwnCommand::Prints) => Some(Class::ReadOnly),
        Some(OwnCommand::Works) | None => None,
        Some(OwnCommand::Governs) => {
            walker.risk(RuleId::GuardOff, about(), call.span);
            if let Some(workspace) = workspace.filter(|_| !matches!(first, "ask" | "mcp")) {
                let written = if first == "intent" { INTENTS } else { ".ai" };
                walker.write_path(&Text::known(format!("{workspace}/{written}")), call.span);
            }
            None
        }
    }
}

/// Returns the command of `steersman run … -- COMMAND`.
fn confined_command(words: &[Text]) -> Option<Vec<Text>> {
    let dashes = words.iter().position(|word| word.text == "--")?;
    let (options, command) = (&words[..dashes], &words[dashes + 1..]);
    let verb = match options.first().map(|word| word.text.as_str()) {
        Some("--workspace") => options.get(2),
        Some(option) if option.starts_with("--workspace=") => options.get(1),
        _ => options.first(),
    };
    (verb.is_some_and(|verb| verb.text == "run") && !command.is_empty()).then(|| command.to_vec())
}
