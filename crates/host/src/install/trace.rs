//! What an agent program leaves behind, and which are in use by that.

use crate::Host;

/// Something whose existence says that a host is used here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    /// Where to look.
    pub root: Root,
    /// A path with `/`, or the name of a program.
    pub name: &'static str,
}

/// Where a path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// The workspace: somebody used the host on this project.
    Workspace,
    /// The home folder: somebody uses it on this machine.
    Home,
    /// The folders of `PATH`: it is installed.
    Path,
}

/// A host that left traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InUse {
    /// Which one.
    pub host: Host,
    /// What was found, the most telling first.
    pub traces: Vec<Trace>,
}

/// Lists what a host leaves behind, the most telling first.
///
/// WHY: `AGENTS.md` is in no list. Nearly every host reads it, so it tells of
/// none; and our own settings files are in folders that are.
pub const fn traces(host: Host) -> &'static [Trace] {
    match host {
        Host::VsCode => {
            const {
                &[
                    here(".github/copilot-instructions.md"),
                    here(".vscode"),
                    home(".vscode"),
                    program("code"),
                    program("code-insiders"),
                ]
            }
        }
        Host::ClaudeCode => {
            const { &[here(".claude"), here("CLAUDE.md"), home(".claude"), program("claude")] }
        }
        Host::CopilotCli => {
            const {
                &[
                    here(".github/copilot"),
                    here(".github/hooks"),
                    here(".github/copilot-instructions.md"),
                    home(".copilot"),
                    program("copilot"),
                ]
            }
        }
        Host::Codex => const { &[here(".codex"), home(".codex"), program("codex")] },
        Host::Gemini => const { &[here(".gemini"), here("GEMINI.md"), home(".gemini"), program("gemini")] },
        Host::Cursor => {
            const {
                &[
                    here(".cursor"),
                    here(".cursorrules"),
                    home(".cursor"),
                    program("cursor"),
                    program("cursor-agent"),
                ]
            }
        }
        Host::Qwen => const { &[here(".qwen"), here("QWEN.md"), home(".qwen"), program("qwen")] },
        Host::Raw => &[],
    }
}

/// Finds the hosts that left traces; `exists` looks at the disk.
pub fn hosts_in_use(exists: impl Fn(Trace) -> bool) -> Vec<InUse> {
    let in_use =
        |host| InUse { host, traces: traces(host).iter().copied().filter(|trace| exists(*trace)).collect() };
    Host::ALL.into_iter().map(in_use).filter(|found| !found.traces.is_empty()).collect()
}

const fn here(name: &'static str) -> Trace {
    Trace { root: Root::Workspace, name }
}

const fn home(name: &'static str) -> Trace {
    Trace { root: Root::Home, name }
}

const fn program(name: &'static str) -> Trace {
    Trace { root: Root::Path, name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_by_what_they_leave_behind() {
        let disk = [here("CLAUDE.md"), home(".codex"), program("claude"), here("AGENTS.md")];
        assert_eq!(
            hosts_in_use(|trace| disk.contains(&trace)),
            [
                InUse { host: Host::ClaudeCode, traces: vec![here("CLAUDE.md"), program("claude")] },
                InUse { host: Host::Codex, traces: vec![home(".codex")] },
            ],
        );
        assert_eq!(hosts_in_use(|_| false), []);
    }

    #[test]
    fn every_program_can_be_found_on_the_project_the_machine_and_the_path() {
        for host in Host::ALL.into_iter().filter(|host| *host != Host::Raw) {
            for root in [Root::Workspace, Root::Home, Root::Path] {
                assert!(traces(host).iter().any(|trace| trace.root == root), "{host} {root:?}");
            }
        }
    }
}
