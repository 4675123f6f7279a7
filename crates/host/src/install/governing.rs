//! The files that decide what an agent may do, for whoever has to protect them.

use super::also_reads::also_reads;
use super::server::ServerPlan;
use super::trace::Root;
use super::{Plan, SourceKind};
use crate::Host;

/// What no registration of ours is in, but can switch hooks off or holds what they run.
const BESIDES: [&str; 9] = [
    ".claude/hooks",
    ".codex/config.toml",
    ".codex/hooks",
    ".copilot/config.json",
    ".copilot/hooks",
    ".cursor/hooks",
    ".cursor/permissions.json",
    ".github/mcp.json",
    ".vscode/settings.json",
];

/// Lists the files and folders of a workspace from which some host takes hooks or MCP servers,
/// relative to the workspace, some more than once. A server is a program that the host starts:
/// whoever may name one may run anything.
pub fn governing_files() -> impl Iterator<Item = &'static str> {
    let hooks = Plan::ALL.into_iter().chain([Plan::LEGACY]).map(|plan| plan.file);
    let others = Host::ALL.into_iter().flat_map(also_reads).filter(|source| source.root == Root::Workspace);
    // A folder of hooks is protected as a whole: a new file in it would count, too.
    let folders = others.clone().filter(|source| source.kind == SourceKind::FolderOfJson);
    let servers = ServerPlan::ALL.into_iter().map(|plan| plan.file);
    folders.chain(others).map(|source| source.path).chain(hooks).chain(servers).chain(BESIDES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_we_register_in_is_there() {
        let files: Vec<&str> = governing_files().collect();
        for plan in Plan::ALL {
            assert!(files.contains(&plan.file), "{}", plan.file);
        }
        for plan in ServerPlan::ALL {
            assert!(files.contains(&plan.file), "{}", plan.file);
        }
        for file in [".claude/settings.local.json", ".github/hooks"] {
            assert!(files.contains(&file), "{file}");
        }
    }
}
