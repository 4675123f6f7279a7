//! The files of a workspace that govern agents.

use shell::guard::GOVERNING;

/// Lists the files and folders from which a host reads hooks, permissions or MCP servers, and
/// steersman's own, relative to the folder they govern. A server is a program that the host starts:
/// an agent that may declare one may run anything.
pub fn governing_files() -> impl Iterator<Item = &'static str> {
    GOVERNING.iter().map(|governing| governing.path)
}

#[cfg(test)]
mod tests {
    use super::super::hook_source::other_hook_sources;
    use super::super::server::ServerPlan;
    use super::super::usage_evidence::{Root, usage_evidence};
    use super::super::{HookPlan, SourceKind};
    use super::*;
    use crate::Host;

    #[test]
    fn every_program_is_registered_and_known_to_the_guard() {
        for host in Host::ALL.into_iter().filter(|host| *host != Host::Raw) {
            assert!(HookPlan::of(host).is_some(), "{host}: no plan in `HookPlan::ALL`");
            let is_served = ServerPlan::ALL.iter().any(|plan| plan.hosts.contains(&host));
            assert!(is_served, "{host}: no plan in `ServerPlan::ALL`");
            let programs = usage_evidence(host).iter().filter(|it| it.root == Root::Path && it.suffices);
            for program in programs.map(|it| it.name).filter(|name| *name != "cursor") {
                // Every agent program is denied this flag, whichever of them has it.
                let line = format!("{program} --dangerously-skip-permissions");
                let risks = shell::read(&line, &shell::Place::at("/w")).risks;
                let unguarded = shell::Concern::Rule(shell::guard::RuleId::AgentUnguarded);
                let is_agent = risks.iter().any(|risk| risk.concern == unguarded);
                assert!(
                    is_agent,
                    "{program}: no row of an agent in `programs/system.rs` of the crate `shell`"
                );
            }
        }
    }

    #[test]
    fn every_file_a_host_takes_hooks_or_servers_from_is_there() {
        let files: Vec<&str> = governing_files().collect();
        let lists =
            |path: &str| files.iter().any(|file| *file == path || path.starts_with(&format!("{file}/")));
        for plan in HookPlan::ALL.into_iter().chain([HookPlan::LEGACY]) {
            assert!(lists(plan.file), "{}", plan.file);
        }
        for plan in HookPlan::USER {
            assert!(shell::guard::governs(&format!("/home/me/{}", plan.file)), "{}", plan.file);
        }
        for plan in HookPlan::MANAGED {
            assert!(shell::guard::governs(&format!("/{}", plan.file)), "{}", plan.file);
        }
        for plan in ServerPlan::ALL {
            assert!(lists(plan.file), "{}", plan.file);
        }
        for source in Host::ALL.into_iter().flat_map(other_hook_sources) {
            assert!(source.root != Root::Path && lists(source.path), "{}", source.path);
            // A new file in a folder of hooks would count too.
            assert!(
                source.kind != SourceKind::FolderOfJson || files.contains(&source.path),
                "{}",
                source.path
            );
        }
    }
}
