//! The user's own rules about tool calls, in the settings of each host: what they deny and what they ask about.
//!
//! steersman reads them before it approves a call, because an approval overrides some of them.
//!
//! INVARIANT: a rule speaks about at least the calls that the host's own matching catches. Where a host's matching is
//! not known to the letter, a rule speaks about more: the user is asked once too often, never once too seldom. A file
//! that cannot be read is an error, and its caller approves nothing.

mod announced_call;
mod codex_rules;
mod command_line;
mod path_pattern;
mod settings;
mod word_pattern;

use std::path::{Path, PathBuf};

pub use announced_call::{Announced, announced, gives_reasons};
pub use command_line::{COPILOT_PROGRAM, of_copilot};

use shell::guard::MovedSettings;

use crate::Host;
use path_pattern::PathPattern;
use word_pattern::WordPattern;

/// The facts about a call that rules look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallFacts {
    /// The words of every command that the call runs, with the programs that start it in front, and the words of the
    /// whole line. Empty for a tool without a command.
    pub commands: Vec<Vec<String>>,
    /// The absolute paths that it reads.
    pub reads: Vec<String>,
    /// Those of them that are folders, with everything below.
    pub folders: Vec<String>,
    /// The absolute paths that it creates, changes or deletes.
    pub writes: Vec<String>,
    /// The names under which rules may speak about the tool, in lower case.
    pub tools: Vec<String>,
}

/// A rule of the user that denies or asks about calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRule {
    text: String,
    subject: Subject,
}

/// The calls that a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    /// Every call.
    All,
    /// Calls of a tool by its name, in lower case.
    Tool(String),
    /// Commands.
    Commands(WordPattern),
    /// Files that a call reads or writes.
    Reads(PathPattern),
    /// Files that a call writes.
    Writes(PathPattern),
}

/// A file with rules of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFile {
    /// Where it is; a folder stands for the files in it that end in `suffix`.
    pub path: PathBuf,
    /// How the name of a file in a folder ends; `None` if `path` is the file.
    pub suffix: Option<&'static str>,
    form: Form,
}

/// How a file spells rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `permissions.deny` and `permissions.ask`, as lists of `Tool(pattern)`.
    Settings,
    /// Codex's `prefix_rule(…)`.
    CodexRules,
    /// Codex's requirements of administrators, in TOML.
    CodexRequirements,
}

/// Why the rules of a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnreadableRules(String);

/// The folders around a call.
#[derive(Debug, Clone, Copy)]
pub struct RuleFolders<'a> {
    /// The user's home.
    pub home: &'a Path,
    /// The workspace.
    pub workspace: &'a Path,
    /// The host's working folder.
    pub folder: &'a Path,
    /// The host's transcript, which lies below the folder of its settings.
    pub transcript: Option<&'a Path>,
    /// Where the user moved the settings of hosts to.
    pub moved: &'a [MovedSettings],
}

impl RuleFolders<'_> {
    /// Returns the places of a file of the user: in the home, and where a variable moves it or its folder to.
    fn of_user(&self, file: &str) -> Vec<PathBuf> {
        let moved = self.moved.iter().filter_map(|moved| {
            let rest = file.strip_prefix(moved.usual)?;
            match rest.strip_prefix('/') {
                Some(rest) => Some(Path::new(&moved.path).join(rest)),
                None => rest.is_empty().then(|| PathBuf::from(&moved.path)),
            }
        });
        std::iter::once(self.home.join(file)).chain(moved).collect()
    }
}

impl RuleFile {
    /// Lists the files with the user's rules for a host. Returns `None` for a host on which steersman approves nothing.
    pub fn of(host: Host, folders: &RuleFolders<'_>) -> Option<Vec<Self>> {
        let settings = |path: PathBuf| Self { path, suffix: None, form: Form::Settings };
        let mut files = Vec::new();
        // Which folders above the working folder a host reads depends on where it was started and on git.
        let mut projects: Vec<&Path> =
            folders.folder.ancestors().chain(folders.workspace.ancestors()).collect();
        projects.sort_unstable();
        projects.dedup();
        match host {
            Host::ClaudeCode => {
                files.push(settings(PathBuf::from("/etc/claude-code/managed-settings.json")));
                files.push(Self {
                    path: PathBuf::from("/etc/claude-code/managed-settings.d"),
                    suffix: Some(".json"),
                    form: Form::Settings,
                });
                for file in [".claude/settings.json", ".claude/settings.local.json"] {
                    files.extend(folders.of_user(file).into_iter().map(settings));
                    files.extend(projects.iter().map(|folder| settings(folder.join(file))));
                }
            }
            Host::Qwen => {
                files.push(settings(PathBuf::from("/etc/qwen-code/settings.json")));
                let file = ".qwen/settings.json";
                files.extend(folders.of_user(file).into_iter().map(settings));
                files.extend(projects.iter().map(|folder| settings(folder.join(file))));
            }
            Host::Cursor => {
                files.push(settings(folders.home.join(".cursor/cli-config.json")));
                for folder in projects {
                    files.push(settings(folder.join(".cursor/cli.json")));
                }
            }
            Host::Codex => {
                let own = folders.transcript.and_then(codex_rules::home_of_transcript);
                let own = own.unwrap_or_else(|| folders.home.join(".codex"));
                let bases = projects.iter().map(|folder| folder.join(".codex"));
                let users = folders.of_user(".codex");
                for base in bases.chain(users).chain([own, PathBuf::from("/etc/codex")]) {
                    let (path, suffix) = (base.join("rules"), Some(".rules"));
                    files.push(Self { path, suffix, form: Form::CodexRules });
                }
                let path = PathBuf::from("/etc/codex/requirements.toml");
                files.push(Self { path, suffix: None, form: Form::CodexRequirements });
            }
            // Copilot's rules are on its command line.
            Host::CopilotCli => {}
            Host::Gemini | Host::VsCode | Host::Raw => return None,
        }
        files.dedup();
        Some(files)
    }

    /// Returns the rules in the text of the file that deny or ask.
    pub fn rules(&self, text: &str, folders: &RuleFolders<'_>) -> Result<Vec<UserRule>, UnreadableRules> {
        match self.form {
            Form::Settings => settings::rules(text, folders),
            Form::CodexRules => codex_rules::rules(text),
            Form::CodexRequirements => codex_rules::requirements(text),
        }
    }
}

impl UserRule {
    /// Returns the rule as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the rule is about a call, or may be.
    pub fn is_about(&self, call: &CallFacts) -> bool {
        match &self.subject {
            Subject::All => true,
            Subject::Tool(name) => call.tools.contains(name),
            Subject::Commands(pattern) => call.commands.iter().any(|words| pattern.matches(words)),
            Subject::Reads(pattern) => {
                let mut paths = call.reads.iter().chain(&call.writes);
                paths.any(|path| pattern.matches(path))
                    || call.folders.iter().any(|folder| pattern.may_match_below(folder))
            }
            Subject::Writes(pattern) => call.writes.iter().any(|path| pattern.matches(path)),
        }
    }
}
