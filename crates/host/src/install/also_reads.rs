//! Where else a host takes hooks from: the places in which a second registration
//! would have it call us twice.

use super::trace::Root;
use crate::Host;

/// A place besides the plan's own file that a host reads hooks from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSource {
    /// What the path is relative to.
    pub root: Root,
    /// The path, with `/`.
    pub path: &'static str,
    /// Whether that is a file or a folder of them.
    pub kind: SourceKind,
    /// When the host reads it.
    pub when: When,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// One settings file.
    File,
    /// Every `*.json` in it counts.
    FolderOfJson,
}

/// When a host reads a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Whenever it is there.
    Always,
    /// Only with a setting, named as a person would look for it.
    With(&'static str),
}

/// Lists them. Only JSON: hooks in Codex's `config.toml` are not looked for.
pub const fn also_reads(host: Host) -> &'static [HookSource] {
    match host {
        Host::VsCode => {
            const {
                &[
                    folder(Root::Workspace, ".github/hooks"),
                    folder(Root::Home, ".copilot/hooks"),
                    file(Root::Workspace, ".claude/settings.json", When::With("chat.useClaudeHooks")),
                    file(Root::Workspace, ".claude/settings.local.json", When::With("chat.useClaudeHooks")),
                    file(Root::Home, ".claude/settings.json", When::With("chat.useClaudeHooks")),
                ]
            }
        }
        Host::CopilotCli => {
            const {
                &[
                    folder(Root::Workspace, ".github/hooks"),
                    folder(Root::Home, ".copilot/hooks"),
                    file(Root::Workspace, ".github/copilot/settings.json", When::Always),
                    file(Root::Workspace, ".github/copilot/settings.local.json", When::Always),
                    file(Root::Home, ".copilot/settings.json", When::Always),
                    file(Root::Workspace, ".claude/settings.json", When::Always),
                    file(Root::Workspace, ".claude/settings.local.json", When::Always),
                ]
            }
        }
        // Claude Code runs an identical command of several files once; a command
        // with another path to the binary is not identical.
        Host::ClaudeCode => {
            const {
                &[
                    file(Root::Workspace, ".claude/settings.local.json", When::Always),
                    file(Root::Home, ".claude/settings.json", When::Always),
                ]
            }
        }
        Host::Codex => const { &[file(Root::Home, ".codex/hooks.json", When::Always)] },
        Host::Gemini => const { &[file(Root::Home, ".gemini/settings.json", When::Always)] },
        Host::Cursor => {
            const {
                &[
                    file(Root::Home, ".cursor/hooks.json", When::Always),
                    file(Root::Workspace, ".claude/settings.json", When::With("Third-party skills")),
                    file(Root::Workspace, ".claude/settings.local.json", When::With("Third-party skills")),
                    file(Root::Home, ".claude/settings.json", When::With("Third-party skills")),
                ]
            }
        }
        Host::Qwen => const { &[file(Root::Home, ".qwen/settings.json", When::Always)] },
        Host::Raw => &[],
    }
}

const fn file(root: Root, path: &'static str, when: When) -> HookSource {
    HookSource { root, path, kind: SourceKind::File, when }
}

const fn folder(root: Root, path: &'static str) -> HookSource {
    HookSource { root, path, kind: SourceKind::FolderOfJson, when: When::Always }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::Plan;

    #[test]
    fn no_host_lists_its_own_file_as_another_place() {
        for host in Host::ALL {
            let own = Plan::of(host).map(|plan| plan.file);
            let mut others = also_reads(host).iter().filter(|source| source.root == Root::Workspace);
            assert!(others.all(|source| Some(source.path) != own), "{host}");
        }
    }

    #[test]
    fn the_hosts_that_may_read_claudes_settings_are_on_record() {
        let readers = Host::ALL.into_iter().filter(|host| {
            let mut sources = also_reads(*host).iter();
            sources.any(|source| source.root == Root::Workspace && source.path == ".claude/settings.json")
        });
        assert_eq!(readers.collect::<Vec<_>>(), [Host::VsCode, Host::CopilotCli, Host::Cursor]);
    }
}
