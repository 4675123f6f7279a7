//! Detects the agent programs in use by the files they leave behind.

use crate::Host;

/// A file, folder or program whose existence shows that a host is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageEvidence {
    /// The folder in which to look.
    pub root: Root,
    /// A path with `/`, or the name of a program.
    pub name: &'static str,
    /// Whether it shows by itself that the host is in use.
    pub suffices: bool,
}

/// The start of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// The workspace: a user ran the host on this project.
    Workspace,
    /// The home folder: a user runs it on this machine.
    Home,
    /// The folders of `PATH`: it is installed.
    Path,
}

/// A host in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostInUse {
    /// The host.
    pub host: Host,
    /// The evidence found, the strongest first.
    pub evidence: Vec<UsageEvidence>,
}

/// Lists the evidence of a host, the strongest first.
///
/// WHY without `AGENTS.md`: nearly every host reads it, so it is evidence of none; and the folders of
/// our own settings files are included. WHY VS Code itself does not suffice: most of its users have no Copilot, and a
/// registration for Copilot in a repository denies every tool call of users without steersman.
pub const fn usage_evidence(host: Host) -> &'static [UsageEvidence] {
    match host {
        Host::VsCode => {
            const {
                &[
                    here(".github/copilot-instructions.md"),
                    here(".github/instructions"),
                    weak(here(".vscode")),
                    weak(home(".vscode")),
                    weak(program("code")),
                    weak(program("code-insiders")),
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

/// Finds the hosts in use; `exists` checks the disk.
pub fn hosts_in_use(exists: impl Fn(UsageEvidence) -> bool) -> Vec<HostInUse> {
    let in_use = |host| HostInUse {
        host,
        evidence: usage_evidence(host).iter().copied().filter(|it| exists(*it)).collect(),
    };
    Host::ALL
        .into_iter()
        .map(in_use)
        .filter(|found| found.evidence.iter().any(|evidence| evidence.suffices))
        .collect()
}

const fn here(name: &'static str) -> UsageEvidence {
    UsageEvidence { root: Root::Workspace, name, suffices: true }
}

const fn home(name: &'static str) -> UsageEvidence {
    UsageEvidence { root: Root::Home, name, suffices: true }
}

const fn program(name: &'static str) -> UsageEvidence {
    UsageEvidence { root: Root::Path, name, suffices: true }
}

/// Makes evidence that counts only beside other evidence.
const fn weak(evidence: UsageEvidence) -> UsageEvidence {
    UsageEvidence { suffices: false, ..evidence }
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
                HostInUse { host: Host::ClaudeCode, evidence: vec![here("CLAUDE.md"), program("claude")] },
                HostInUse { host: Host::Codex, evidence: vec![home(".codex")] },
            ],
        );
        assert_eq!(hosts_in_use(|_| false), []);
        assert_eq!(
            hosts_in_use(|trace| trace.name.contains("vscode") || trace.name.starts_with("code-")),
            []
        );
        let evidence = hosts_in_use(|trace| matches!(trace.name, ".github/instructions" | ".vscode"));
        assert_eq!(evidence.len(), 1, "{evidence:?}");
        assert_eq!((evidence[0].host, evidence[0].evidence.len()), (Host::VsCode, 3));
    }

    #[test]
    fn every_program_can_be_found_on_the_project_the_machine_and_the_path() {
        for host in Host::ALL.into_iter().filter(|host| *host != Host::Raw) {
            for root in [Root::Workspace, Root::Home, Root::Path] {
                assert!(usage_evidence(host).iter().any(|trace| trace.root == root), "{host} {root:?}");
            }
        }
    }
}
