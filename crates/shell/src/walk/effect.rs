//! Records the effects of a command.

use super::Walker;
use crate::guard::RuleId;
use crate::path::{self, Certainty, PathUse};
use crate::reading::{Arg, Class, Concern, Doubt, Outlet, Reading, Risk, Simple, Site, Span};
use crate::secrets;
use crate::text::{Taint, Text};

/// The use of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Read,
    Write,
    /// Everything below a folder.
    WriteTree,
    Create,
    Delete {
        recursive: bool,
    },
}

impl Walker<'_> {
    /// Records a simple command and returns its index.
    pub(super) fn record(&mut self, program: &str, is_itself: bool, argv: &[Text], span: Span) -> usize {
        self.reading.commands.push(Simple {
            program: program.to_owned(),
            is_itself,
            argv: argv
                .iter()
                .map(|arg| Arg { text: arg.text.clone(), known: arg.is_known(), glob: arg.glob })
                .collect(),
            span,
            origin: self.origin.clone(),
            via: self.via.clone(),
            site: self.site,
            cwd: self.state.cwd.clone(),
            class: std::mem::take(&mut self.opened_class),
            outlet: Outlet::Shown,
        });
        self.reading.commands.len() - 1
    }

    /// Sets the destination of the output of the commands recorded since `first`, unless it is set already.
    pub(crate) fn lead(&mut self, first: usize, outlet: Outlet) {
        for command in self.reading.commands.iter_mut().skip(first) {
            if command.outlet == Outlet::Shown {
                command.outlet = outlet;
            }
        }
    }

    /// Returns how many commands are recorded.
    pub(crate) fn n_commands(&self) -> usize {
        self.reading.commands.len()
    }

    /// Returns the index of the command that a new fact belongs to.
    fn belongs_to(&self) -> usize {
        let n_known = self.reading.commands.len();
        if self.is_opening { n_known } else { n_known.saturating_sub(1) }
    }

    /// Raises the class of the command that is being followed, and of the line.
    pub(crate) fn classify(&mut self, command: usize, class: Class) {
        match self.reading.commands.get_mut(command) {
            Some(simple) => simple.class = simple.class.max(class),
            None => self.opened_class = self.opened_class.max(class),
        }
        self.reading.class = self.reading.class.max(class);
    }

    /// Records a path and its use. Returns the path if it is exact.
    pub(crate) fn touch(&mut self, act: Act, target: &Text, span: Span) -> Option<String> {
        let (mut resolved, certainty) = self.resolve(target);
        // Writing to a link that the line made changes its target, too; `ln` only makes it.
        if act == Act::Write
            && (self.is_opening || self.reading.commands.last().is_none_or(|command| command.program != "ln"))
            && let Some((_, linked)) = self.state.links.iter().rev().find(|(name, _)| *name == resolved)
            && *linked != resolved
        {
            let linked = Text::known(linked.clone());
            self.touch(act, &linked, span);
        }
        let mut site = self.site;
        if site == Site::Container && certainty != Certainty::Unknown {
            // Folders mounted from this machine are ours.
            for (there, here) in &self.mounts {
                if path::is_within(&resolved, there) {
                    resolved = path::normalise(&format!("{here}/{}", &resolved[there.len()..]));
                    site = Site::Local;
                    break;
                }
            }
        }
        let command = self.belongs_to();
        let recursive = matches!(act, Act::Delete { recursive: true } | Act::WriteTree);
        let used = PathUse { path: resolved, certainty, recursive, site, command, span };
        let exact = (certainty == Certainty::Exact).then(|| used.path.clone());
        if is_sink(&used.path) {
            return None;
        }
        // Another terminal, or a machine behind a socket, gets what is written there.
        if used.path.starts_with("/dev/pts/") || is_socket(&used.path) {
            self.classify(command, Class::Unknown);
            return None;
        }
        let class = match act {
            Act::Read => Class::ReadOnly,
            Act::Write | Act::WriteTree | Act::Create => Class::Writes,
            Act::Delete { .. } => Class::Destructive,
        };
        // A folder that holds the hooks goes with them.
        if matches!(act, Act::Delete { .. })
            && site == Site::Local
            && used.path.ends_with("/.github")
            && self.place.files.is_dir(&format!("{}/hooks", used.path))
        {
            self.risk(RuleId::GuardOff, used.path.clone(), span);
        }
        if act == Act::Read && site == Site::Local && certainty != Certainty::Unknown {
            self.shows_file(&used.path, command, span);
        }
        self.check_disguise(act, &used, span);
        if act != Act::Read && certainty == Certainty::Unknown {
            self.doubt(Doubt::Path, used.path.clone(), span);
        }
        let Reading { reads, writes, creates, deletes, .. } = &mut self.reading;
        let list = match act {
            Act::Read => reads,
            Act::Write | Act::WriteTree => writes,
            Act::Create => creates,
            Act::Delete { .. } => deletes,
        };
        if list.len() < 4096 && !list.iter().rev().take(16).any(|known| *known == used) {
            list.push(used);
        }
        self.classify(command, class);
        exact
    }

    pub(crate) fn read_path(&mut self, target: &Text, span: Span) -> Option<String> {
        self.touch(Act::Read, target, span)
    }

    pub(crate) fn write_path(&mut self, target: &Text, span: Span) -> Option<String> {
        if is_socket(&target.text) {
            self.reading.network = true;
            self.classify(self.belongs_to(), Class::Unknown);
            self.socket_of_page(target, span);
            let host = target.text.split('/').nth(3).unwrap_or("");
            if !crate::network::is_local_host(host) {
                self.risk(RuleId::RawSocket, target.text.clone(), span);
            }
            return None;
        }
        self.touch(Act::Write, target, span)
    }

    pub(crate) fn delete_path(&mut self, target: &Text, recursive: bool, span: Span) {
        // `rm -rf link/` goes through a link that the line made, `rm -rf link` removes it.
        if target.text.ends_with('/') && target.is_known() {
            let path = self.resolve(target).0;
            if let Some((_, linked)) = self.state.links.iter().rev().find(|(name, _)| *name == path).cloned()
            {
                self.touch(Act::Delete { recursive }, &Text::known(linked), span);
            }
        }
        self.touch(Act::Delete { recursive }, target, span);
    }

    /// Records something that a rule of the guard judges.
    pub(crate) fn risk(&mut self, concern: impl Into<Concern>, about: impl Into<String>, span: Span) {
        // A container is a separate machine: changes inside of it are not ours to guard.
        let concern = concern.into();
        if self.site == Site::Container && OF_THE_MACHINE.map(Concern::Rule).contains(&concern) {
            return;
        }
        let command = self.reading.commands.len().checked_sub(1);
        let risk = Risk { concern, about: about.into(), span, command };
        if self.reading.risks.len() < 256 && !self.reading.risks.contains(&risk) {
            self.reading.risks.push(risk);
        }
    }

    /// Records something that a rule judges, about a command that is not the last one.
    pub(crate) fn risk_of(&mut self, rule: RuleId, about: impl Into<String>, span: Span, command: usize) {
        let risk = Risk { concern: rule.into(), about: about.into(), span, command: Some(command) };
        if self.reading.risks.len() < 256 && !self.reading.risks.contains(&risk) {
            self.reading.risks.push(risk);
        }
    }

    /// Returns whether the content of a file is a secret.
    pub(crate) fn secrecy(&self, path: &str) -> Taint {
        if secrets::is_secret(path, &self.reading.home) { Taint::SECRET } else { Taint::NONE }
    }

    /// Remembers a remote of git that the line adds.
    pub(crate) fn add_remote(&mut self, name: &str) {
        self.state.remotes.push(name.to_owned());
    }

    /// Returns whether the line has added this remote.
    pub(crate) fn has_added_remote(&self, name: &str) -> bool {
        self.state.remotes.iter().any(|known| known == name)
    }

    /// Returns whether the current command runs here, not in a container or elsewhere.
    pub(crate) fn is_local(&self) -> bool {
        self.site == Site::Local
    }
}

/// Rules about the machine a command runs on.
const OF_THE_MACHINE: [RuleId; 11] = [
    RuleId::SystemInstall,
    RuleId::SystemPackages,
    RuleId::ServiceChange,
    RuleId::ServiceOff,
    RuleId::Accounts,
    RuleId::Privilege,
    RuleId::Mount,
    RuleId::Kernel,
    RuleId::Power,
    RuleId::Firewall,
    RuleId::Schedule,
];

/// Files that swallow their input, and the streams of the process itself.
fn is_sink(path: &str) -> bool {
    matches!(
        path,
        "/dev/null"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/stdin"
            | "/dev/tty"
            | "/dev/zero"
            | "/dev/urandom"
            | "/dev/random"
            | "/dev/full"
    ) || path.starts_with("/dev/fd/")
}

/// Connections that the shell opens by a path.
fn is_socket(path: &str) -> bool {
    path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/")
}

impl Walker<'_> {
    /// Returns the taint of a file: by the line that wrote it, or by its place.
    pub(crate) fn taint_of_file(&self, path: &str) -> Taint {
        let written = self.state.content(path).map_or(Taint::NONE, |content| content.taint);
        written.with(self.secrecy(path)).with(Taint::PRINTED)
    }

    /// Returns the taint of a file, or of a folder with everything in it.
    pub(crate) fn taint_of_tree(&self, folder: &str) -> Taint {
        let mut taint = self.taint_of_file(folder);
        if folder.starts_with('/') && path::is_within(&self.reading.workspace, folder) {
            taint = taint.with(Taint::WORKSPACE);
        }
        let holds_secret = || {
            self.place.files.is_dir(folder)
                && secrets::IN_PROJECTS
                    .iter()
                    .any(|name| self.place.files.exists(&format!("{folder}/{name}")))
        };
        if !taint.has(Taint::SECRET) && holds_secret() { taint.with(Taint::SECRET) } else { taint }
    }

    /// Returns the content that this line wrote to a path before.
    pub(crate) fn state_content(&self, path: &str) -> Option<&Text> {
        self.state.content(path)
    }

    /// Returns the content that this line wrote to a file before.
    pub(crate) fn content_of(&self, file: &Text) -> Option<Text> {
        self.state.content(&self.resolve(file).0).cloned()
    }
}
