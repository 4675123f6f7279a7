//! Commands that cannot work confined: they are judged as if there were no confinement.

use std::path::Path;

use event::CommandLine;
use modules::Context;
use session::shell_call::CallScope;
use shell::{Reading, SYSTEM_BIN, Simple, Site};

use super::git_tree;

/// Programs that raise their rights or act through a daemon that has more.
///
/// WHY not every program with a daemon: one that runs commands outside, such as `systemd-run`, must fail confined.
const UNSUITED: &[&str] = &[
    "sudo",
    "sudoedit",
    "su",
    "doas",
    "pkexec",
    "run0",
    "runuser",
    "docker",
    "docker-compose",
    "podman",
    "podman-compose",
    "nerdctl",
    "buildah",
    "lxc",
    "incus",
    "flatpak",
    "snap",
    "mount",
    "umount",
    "crontab",
];

/// The most programs of a line that are looked for on disk.
const MOST: usize = 32;

/// Returns why a command cannot run confined; `None` if it can.
pub(super) fn reason(
    context: &Context<'_>,
    command: &CommandLine,
    reading: &Reading,
    scope: &CallScope,
) -> Option<String> {
    let here = || reading.commands.iter().filter(|command| command.site == Site::Local);
    let wrappers = || here().flat_map(|command| command.via.iter().map(String::as_str));
    let programs = || here().map(|command| command.program.as_str());
    if let Some(program) = programs().chain(wrappers()).find(|program| UNSUITED.contains(program)) {
        return Some(format!("`{program}` cannot work confined"));
    }
    if let Some(program) = here().take(MOST).find(|command| is_setuid(command)) {
        return Some(format!(
            "`{}` runs with the rights of its owner, which a confined command cannot",
            program.program
        ));
    }
    git_tree::reason(context, command, reading, scope)
}

/// Returns whether the program of a command takes its owner's rights.
#[cfg(unix)]
fn is_setuid(command: &Simple) -> bool {
    use std::os::unix::fs::PermissionsExt;

    const SETUID: u32 = 0o4000;
    let named = command.argv.first().map_or("", |word| word.text.as_str());
    let mode = |path: &Path| {
        path.metadata().ok().filter(std::fs::Metadata::is_file).map(|meta| meta.permissions().mode())
    };
    let found = if named.contains('/') {
        mode(Path::new(named))
    } else if command.program.is_empty() {
        None
    } else {
        SYSTEM_BIN.iter().find_map(|folder| mode(&Path::new(folder).join(&command.program)))
    };
    found.is_some_and(|mode| mode & SETUID != 0)
}

#[cfg(not(unix))]
fn is_setuid(_command: &Simple) -> bool {
    false
}
