//! The other files from which a host reads hooks: a second registration there would call us twice.

use super::usage_evidence::Root;
use crate::Host;

/// A file or folder besides the plan's own from which a host reads hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookSource {
    /// The folder to which the path is relative.
    pub root: Root,
    /// The path, with `/`.
    pub path: &'static str,
    /// Whether it is a file or a folder of files.
    pub kind: SourceKind,
    /// The condition under which the host reads it.
    pub when: When,
}

/// The kind of a hook source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// One settings file.
    File,
    /// Every `*.json` in the folder.
    FolderOfJson,
}

/// The condition under which a host reads a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Whenever it exists.
    Always,
    /// Only with this setting.
    With(&'static str),
}

/// Returns whether a host that was started in a subfolder finds the settings of the project around it.
///
/// WHY true for editors: a user opens the project in one, wherever the shell is that asks.
pub const fn finds_project_from_subfolder(host: Host) -> bool {
    match host {
        Host::Codex | Host::CopilotCli | Host::VsCode | Host::Cursor => true,
        Host::ClaudeCode | Host::Gemini | Host::Qwen | Host::Raw => false,
    }
}

/// Returns whether a host that finds the same command for an event in several settings files runs it once.
pub const fn runs_equal_commands_once(host: Host) -> bool {
    match host {
        Host::ClaudeCode | Host::Gemini | Host::Qwen => true,
        Host::Codex | Host::CopilotCli | Host::VsCode | Host::Cursor | Host::Raw => false,
    }
}

/// Lists the other hook sources of a host. JSON only: hooks in Codex's `config.toml` are not checked.
pub const fn other_hook_sources(host: Host) -> &'static [HookSource] {
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
    use crate::install::HookPlan;

    #[test]
    fn no_host_lists_its_own_file_as_another_place() {
        for host in Host::ALL {
            let own = HookPlan::of(host).map(|plan| plan.file);
            let mut others = other_hook_sources(host).iter().filter(|source| source.root == Root::Workspace);
            assert!(others.all(|source| Some(source.path) != own), "{host}");
        }
    }

    #[test]
    fn the_hosts_that_may_read_claudes_settings_are_on_record() {
        let readers = Host::ALL.into_iter().filter(|host| {
            let mut sources = other_hook_sources(*host).iter();
            sources.any(|source| source.root == Root::Workspace && source.path == ".claude/settings.json")
        });
        assert_eq!(readers.collect::<Vec<_>>(), [Host::VsCode, Host::CopilotCli, Host::Cursor]);
    }
}
