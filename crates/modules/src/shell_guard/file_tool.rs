//! Judges a tool that uses files, addresses or statements without its own shell.
//!
//! The rules are those of commands: a tool must not write a file that a command must not write, and the user decides before
//! the model sees credentials. For tools of MCP servers and unknown tools, [`argument`](super::argument) finds the parts
//! of the input that the rules look at.

use event::{AbsPath, Access, CommandLine, Decision, ToolCall, ToolKind};
use shell::Files;
use shell::guard::{self, Around, Change, Level, Policy, Rule, RuleId};

use super::argument::{Argument, ToolName, arguments, quoted};
use super::{Disk, definition, place, sentence as sentence_of};
use crate::Context;
use crate::call_folder::real_folder;
use project_config::guard::{NetworkSettings, host_refusal};

/// The strictest decision so far, and the warnings.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub decision: Decision,
    pub warnings: Vec<String>,
}

impl Outcome {
    /// Adds a finding; a deny replaces an ask, an ask an abstention.
    pub(super) fn add(&mut self, level: Level, reason: String) {
        match (level, &mut self.decision) {
            (Level::Off, _) | (Level::Ask, Decision::Deny { .. }) => {}
            (Level::Warn, _) => self.warnings.push(reason),
            (Level::Deny, Decision::Deny { reason: all }) | (Level::Ask, Decision::Ask { reason: all }) => {
                if !all.contains(&reason) {
                    all.push('\n');
                    all.push_str(&reason);
                }
            }
            (Level::Deny, decision) => *decision = Decision::Deny { reason },
            (Level::Ask, decision) => *decision = Decision::Ask { reason },
        }
    }
}

/// Judges the paths of a call, and for tools that no table lists everything in its input that has the shape of a path, an
/// address, a command or a statement.
pub(super) fn judge(context: &Context<'_>, call: &ToolCall, policy: &Policy, outcome: &mut Outcome) {
    let tool = Tool { context, call, policy, workspace: context.workspace.root().to_string() };
    let is_listed = !matches!(call.kind, ToolKind::Mcp { .. } | ToolKind::Unknown);
    // A single `/` is the start page of a site more often than the root of the disk.
    for touch in call.touches.iter().filter(|touch| is_listed || touch.path != "/") {
        let change = match touch.access {
            // A search in a folder lists names; in a folder of keys it would show them.
            Access::Read
                if matches!(call.kind, ToolKind::Search)
                    && is_folder(context, &touch.path)
                    && !is_folder_of_keys(&touch.path) =>
            {
                continue;
            }
            Access::Read => Change::Read,
            Access::Write | Access::CreateDir => Change::Write,
            Access::Delete => Change::Remove,
        };
        tool.path(&touch.path, change, outcome);
    }
    match &call.kind {
        ToolKind::Mcp { server, .. } if server == NAME_OF_OUR_SERVER => {}
        ToolKind::Mcp { tool: name, server } => tool.arguments(name, server, outcome),
        ToolKind::Unknown | ToolKind::Fetch => tool.arguments(&call.name, "", outcome),
        ToolKind::Read
        | ToolKind::Write
        | ToolKind::Shell
        | ToolKind::Search
        | ToolKind::Subagent
        | ToolKind::Harmless => {}
    }
}

/// Returns whether a string of the input is or contains a secret.
fn holds_secret(input: &serde_json::Value, depth: usize) -> bool {
    match input {
        serde_json::Value::String(text) => redact::Filter::default().redact(text).as_str() != text,
        serde_json::Value::Array(items) if depth < 8 => {
            items.iter().any(|item| holds_secret(item, depth + 1))
        }
        serde_json::Value::Object(fields) if depth < 8 => {
            fields.values().any(|value| holds_secret(value, depth + 1))
        }
        _ => false,
    }
}

/// The registered name of our own server.
const NAME_OF_OUR_SERVER: &str = "steersman";

fn is_folder_of_keys(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    matches!(name, ".ssh" | ".aws" | ".gnupg" | ".kube" | ".docker" | ".azure")
}

fn is_folder(context: &Context<'_>, path: &str) -> bool {
    context.folder().as_path().join(path).is_dir()
}

/// A call and the circumstances in which it is judged.
struct Tool<'a, 'c> {
    context: &'a Context<'c>,
    call: &'a ToolCall,
    policy: &'a Policy,
    workspace: String,
}

impl Tool<'_, '_> {
    fn path(&self, path: &str, change: Change, outcome: &mut Outcome) {
        let context = self.context;
        let home = context.home.and_then(|home| home.as_path().to_str());
        let user_state = context.user_state.and_then(|state| state.as_path().to_str());
        let moved_settings = context.moved_settings;
        let around = Around { workspace: &self.workspace, home, user_state, moved_settings };
        let (root, folder) = (context.workspace.root(), context.folder());
        let expanded = expanded(path, home);
        let written = folder.join(&expanded);
        let real = real_folder(root, folder, Some(&expanded));
        let of = |path: &AbsPath| guard::of_file(&path.to_string(), change, &around, self.policy);
        // A link must not give access to a path that is denied by its own name.
        let behind_link = if real == written { None } else { of(&real) };
        let found = [of(&written), behind_link].into_iter().flatten().max_by_key(|(_, level)| *level);
        let Some((rule, level)) = found else { return };
        if rule.id == RuleId::SharedSettings
            && change == Change::Write
            && !self.policy.is_set(rule.id)
            && self.writes_plain_definition(&[&written, &real])
        {
            return;
        }
        if change == Change::Read && is_certificate(&written) {
            return;
        }
        outcome.add(level, sentence(rule, path));
    }

    /// Returns whether the call states the whole content of one file, a definition in which nothing runs by itself. An edit
    /// states a part: what it adds may end up in front matter.
    fn writes_plain_definition(&self, paths: &[&AbsPath]) -> bool {
        let content = self.call.content.as_deref().filter(|_| self.call.kind == ToolKind::Write);
        let is_plain = |content| paths.iter().all(|path| definition::is_plain(&path.to_string(), content));
        self.call.touches.len() == 1 && content.is_some_and(is_plain)
    }

    fn arguments(&self, name: &str, server: &str, outcome: &mut Outcome) {
        let (network, warning) = NetworkSettings::read(self.context.config.section(NetworkSettings::SECTION));
        outcome.warnings.extend(warning);
        let change = change_by_name(name);
        let tool = ToolName::of(name).at(server);
        if let Some(thing) = tool
            .deleted_thing()
            .or_else(|| tool.deleted_kind(&self.call.input))
            .or_else(|| ToolName::deleted_by_operation(&self.call.input))
        {
            let rule = guard::rule(RuleId::RemoteDelete);
            outcome.add(
                self.policy.level(rule.id, rule.level),
                sentence(rule, &format!("a {thing}, by `{name}`")),
            );
        }
        let sends = tool.sends();
        let found = arguments(tool, &self.call.input);
        let is_remote = |argument: &Argument| match argument {
            Argument::Address(address) => guard::remote_host(address).is_some(),
            _ => false,
        };
        let addresses = || found.iter().filter(|argument| matches!(argument, Argument::Address(_)));
        // A request to this machine sends nothing away; without an address the service has one of its own.
        if sends
            && (addresses().count() == 0 || addresses().any(is_remote))
            && holds_secret(&self.call.input, 0)
        {
            self.sent_secret("a token in the input", outcome);
        }
        for argument in found {
            match argument {
                Argument::Path(path) => {
                    self.path(&path, Change::Read, outcome);
                    if change == Change::Remove {
                        self.removal(&path, outcome);
                    }
                    if change != Change::Read && path != "/" {
                        self.path(&path, change, outcome);
                    }
                }
                Argument::Address(address) => self.address(&address, &network, outcome),
                Argument::Command(line) => self.command(line, outcome),
                Argument::Statement(text) => {
                    if let Some((rule, level)) = guard::of_statement(&text, self.policy) {
                        outcome.add(level, sentence(rule, &text.chars().take(120).collect::<String>()));
                    }
                }
            }
        }
    }

    /// Judges a removal like the command that does the same. A path that does not exist here may be one of a service.
    fn removal(&self, path: &str, outcome: &mut Outcome) {
        let home = self.context.home.and_then(|home| home.as_path().to_str());
        // With its dots: the reader resolves them as the kernel does.
        let full = self.context.folder().as_path().join(expanded(path, home)).display().to_string();
        // The home is removed with everything in it, whether or not this process sees it.
        if home.is_some_and(|home| full.trim_end_matches('/') == home) {
            self.command(format!("rm -rf {}", quoted(&full)), outcome);
        } else if Disk.exists(&full) {
            let options = if Disk.is_dir(&full) { "-rf" } else { "-f" };
            self.command(format!("rm {options} {}", quoted(&full)), outcome);
        }
    }

    fn address(&self, address: &str, network: &NetworkSettings, outcome: &mut Outcome) {
        let Some(host) = guard::remote_host(address) else {
            // A tool must not request an address of this machine that a command must not.
            self.command(format!("curl {}", quoted(address)), outcome);
            return;
        };
        if let Some((rule, level)) = guard::of_address(address, self.policy) {
            outcome.add(level, sentence(rule, address));
        }
        if let Some(host) = network.refuses(address) {
            outcome.add(Level::Deny, host_refusal(host));
        }
        let shown = redact::Filter::default().redact(address);
        if shown.as_str() != address {
            self.sent_secret(&format!("a token in the address, to {host}"), outcome);
        }
    }

    /// The token may be meant for that service, so without a setting of the project the user decides.
    fn sent_secret(&self, about: &str, outcome: &mut Outcome) {
        let rule = guard::rule(RuleId::SecretExfiltration);
        let level =
            if self.policy.is_set(rule.id) { self.policy.level(rule.id, Level::Ask) } else { Level::Ask };
        outcome.add(level, sentence(rule, about));
    }

    fn command(&self, text: String, outcome: &mut Outcome) {
        // The module has judged the line that the host found itself.
        if self.call.command.as_ref().is_some_and(|command| command.text == text) {
            return;
        }
        let command = CommandLine { text, cwd: None, dialect: event::Dialect::Posix };
        let cwd = self.context.folder().to_string();
        let reading = shell::read(&command.text, &place(self.context, &command, &cwd));
        // A script of another language is not a line for a shell.
        if !reading.parsed {
            return;
        }
        for finding in guard::judge(&reading, self.policy).reasons {
            outcome.add(finding.level, sentence_of(&finding));
        }
    }
}

/// Replaces the home folder at the start of a path.
fn expanded(path: &str, home: Option<&str>) -> String {
    let rest = ["~", "$HOME", "${HOME}"].iter().find_map(|start| path.strip_prefix(start));
    match (rest, home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => path.to_owned(),
    }
}

/// Returns a tool's effect on the paths it is given, by the words of its name.
fn change_by_name(name: &str) -> Change {
    const WRITES: [&str; 20] = [
        "write", "create", "edit", "update", "move", "put", "save", "append", "insert", "upload", "replace",
        "set", "copy", "rename", "patch", "modify", "make", "mkdir", "touch", "download",
    ];
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["delete", "remove", "unlink", "trash"]) {
        Change::Remove
    } else if has(&WRITES) {
        Change::Write
    } else {
        Change::Read
    }
}

/// A key file that begins like a certificate or a public key is no secret.
fn is_certificate(path: &AbsPath) -> bool {
    let head = Disk.read(&path.to_string(), 128).unwrap_or_default();
    let head = String::from_utf8_lossy(&head);
    head.contains("BEGIN CERTIFICATE") || head.contains("BEGIN PUBLIC")
}

fn sentence(rule: &Rule, about: &str) -> String {
    let why = rule.why.trim_end_matches(['.', ':']);
    format!("{why}: `{about}` (rule `{}`). Instead: {}", rule.id, rule.hint)
}
