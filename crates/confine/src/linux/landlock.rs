//! Landlock: scopes on top of namespaces, or a whole confinement where namespaces are not available.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::system::{
    Ruleset, c_path, landlock_permit, landlock_restrict, landlock_ruleset, landlock_version,
    leave_session_keyring, make_folder, place, renounce_privileges, user_and_group,
};
use super::{Failure, Step, seccomp};
use crate::{ConfinementPlan, Disk, Kind, MountKind, Network, Overlay, Tree};

const WRITE_FILE: u64 = 1 << 1;
const REMOVE_AND_MAKE: u64 = 0x1FF << 4;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const RESOLVE_UNIX: u64 = 1 << 16;
const BIND_AND_CONNECT_TCP: u64 = 3;
const SCOPE_ABSTRACT_SOCKETS: u64 = 1;
const SCOPE_SIGNALS: u64 = 2;

/// Devices and folders that programs write without writing to a disk.
const ALWAYS: [&str; 8] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm", "/proc"];

/// A version of Landlock.
#[derive(Debug, Clone, Copy)]
struct Version(u32);

impl Version {
    /// Returns the accesses that write, as far as this version knows them.
    fn writing(self) -> u64 {
        let refer = if self.0 >= 2 { REFER } else { 0 };
        let truncate = if self.0 >= 3 { TRUNCATE } else { 0 };
        WRITE_FILE | REMOVE_AND_MAKE | refer | truncate
    }

    /// Returns the accesses that write a file, for a rule on a file.
    fn writing_a_file(self) -> u64 {
        self.writing() & (WRITE_FILE | TRUNCATE)
    }

    fn sockets(self) -> u64 {
        if self.0 >= 9 { RESOLVE_UNIX } else { 0 }
    }

    /// Returns the rules on top of namespaces.
    fn scopes_alone(self, plan: &ConfinementPlan) -> Ruleset {
        Ruleset { files: self.sockets(), network: 0, scoped: self.scopes(plan) }
    }

    /// Returns the rules of a confinement by Landlock alone.
    fn everything(self, plan: &ConfinementPlan) -> Ruleset {
        let tcp = if plan.network == Network::Own && self.0 >= 4 { BIND_AND_CONNECT_TCP } else { 0 };
        Ruleset { files: self.writing() | self.sockets(), network: tcp, scoped: self.scopes(plan) }
    }

    /// Returns the sockets, and folders of sockets, to permit; none where the kernel has no such rule.
    fn permitted_sockets(self, plan: &ConfinementPlan) -> &[PathBuf] {
        if self.sockets() == 0 { &[] } else { &plan.sockets }
    }

    fn scopes(self, plan: &ConfinementPlan) -> u64 {
        match (self.0 >= 6, plan.own_signals || plan.network == Network::Own) {
            (false, _) => 0,
            (true, false) => SCOPE_ABSTRACT_SOCKETS,
            (true, true) => SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS,
        }
    }

    /// Returns the size of the attributes that this version reads.
    const fn size(self) -> usize {
        match self.0 {
            0..=3 => 8,
            4..=5 => 16,
            _ => 24,
        }
    }
}

/// Cuts the process off from sockets of programs outside, as far as the kernel can; namespaces do the rest.
///
/// The signals of a command reach programs outside unless it runs without the network or the caller says otherwise: a
/// server that an earlier command started must be stoppable by the next.
pub(super) fn restrict_scopes(plan: &ConfinementPlan) -> Result<(), Failure> {
    let version = Version(landlock_version());
    let rules = version.scopes_alone(plan);
    if rules.files == 0 && rules.scoped == 0 {
        return Ok(());
    }
    let ruleset = landlock_ruleset(&rules, version.size()).step("landlock_create_ruleset")?;
    permit_sockets(ruleset.as_fd(), version, plan)?;
    landlock_restrict(ruleset.as_fd()).step("landlock_restrict_self")
}

/// Permits the sockets that the command may reach, where the kernel keeps it from all others.
fn permit_sockets(ruleset: BorrowedFd<'_>, version: Version, plan: &ConfinementPlan) -> Result<(), Failure> {
    for path in version.permitted_sockets(plan) {
        let Ok(there) = place(path) else { continue };
        landlock_permit(ruleset, there.as_fd(), RESOLVE_UNIX).step("landlock_add_rule")?;
    }
    Ok(())
}

/// Returns whether the kernel itself keeps a command from sockets of programs outside, so that none must be covered.
pub fn holds_sockets() -> bool {
    Version(landlock_version()).sockets() != 0
}

/// Confines the process by Landlock alone. Returns the folder for temporary files if it must be another than usual.
pub(super) fn enter(plan: &ConfinementPlan) -> Result<Option<PathBuf>, Failure> {
    let version = Version(landlock_version());
    let filter = seccomp::filter_without_namespace(plan.network);
    let rules = version.everything(plan);
    let ruleset = landlock_ruleset(&rules, version.size()).step("landlock_create_ruleset")?;
    permit_sockets(ruleset.as_fd(), version, plan)?;
    let own = own_temporary_folder(plan)?;
    let always = ALWAYS.map(PathBuf::from);
    // Without an overlay the files can be written in place.
    let alone: Vec<PathBuf> = plan.overlays.iter().flat_map(Overlay::files).collect();
    for path in permitted(plan, &Disk).iter().chain(&alone).chain(&own).chain(&always) {
        let Ok(there) = place(path) else { continue };
        let is_folder = fs::metadata(path).is_ok_and(|meta| meta.is_dir());
        let allowed = if is_folder { version.writing() } else { version.writing_a_file() };
        landlock_permit(ruleset.as_fd(), there.as_fd(), allowed).step("landlock_add_rule")?;
    }
    leave_session_keyring();
    renounce_privileges().step("prctl(PR_SET_NO_NEW_PRIVS)")?;
    landlock_restrict(ruleset.as_fd()).step("landlock_restrict_self")?;
    seccomp::install(filter)?;
    Ok(own)
}

/// Makes a folder for temporary files inside the usual one, if that has a read-only part such as the workspace: a rule
/// on the usual one would open that part too.
fn own_temporary_folder(plan: &ConfinementPlan) -> Result<Option<PathBuf>, Failure> {
    let Some(usual) = plan.temporary.iter().find(|path| is_shut_below(plan, path, &Disk)) else {
        return Ok(None);
    };
    let own = usual.join(format!("steersman-{}", user_and_group().0));
    match make_folder(&c_path(&own).step("mkdir")?, 0o700) {
        Err(error) if error.raw_os_error() != Some(libc::EEXIST) => return Err(error).step("mkdir"),
        _ => {}
    }
    let is_ours = fs::symlink_metadata(&own)
        .is_ok_and(|meta| meta.is_dir() && meta.uid() == user_and_group().0 && meta.mode() & 0o022 == 0);
    if is_ours {
        Ok(Some(own))
    } else {
        Err(io::Error::from_raw_os_error(libc::EPERM)).step("making a folder for temporary files")
    }
}

/// Returns the paths to permit writing beneath.
///
/// A rule holds for everything beneath its path, so a folder with a shut part is replaced by its other entries. New
/// entries directly in such a folder are refused then: that fails closed.
fn permitted(plan: &ConfinementPlan, tree: &dyn Tree) -> Vec<PathBuf> {
    let mut permitted = Vec::new();
    for path in plan.writable() {
        let is_temporary = plan.temporary.iter().any(|it| it == path);
        if !is_temporary || !is_shut_below(plan, path, tree) {
            expand(path, plan, tree, &mut permitted);
        }
    }
    permitted
}

/// More entries than this are not permitted one by one.
const MAX_ENTRIES: usize = 4096;

fn expand(path: &Path, plan: &ConfinementPlan, tree: &dyn Tree, permitted: &mut Vec<PathBuf>) {
    if !is_shut_below(plan, path, tree) {
        permitted.push(path.to_path_buf());
        return;
    }
    for entry in tree.list(path, MAX_ENTRIES).0 {
        let child = path.join(entry.name);
        let own = plan.mounts.iter().find(|mount| mount.path == child).map(|mount| mount.kind);
        let is_decided = own.is_some_and(|kind| is_shut(kind) || kind == MountKind::Writable);
        if entry.kind != Kind::Link && !is_decided {
            expand(&child, plan, tree, permitted);
        }
    }
}

/// Returns whether a part of a folder is read-only. A placeholder does not count: it would shut the whole folder, so
/// under Landlock new settings of hosts are looked for afterwards.
fn is_shut_below(plan: &ConfinementPlan, path: &Path, tree: &dyn Tree) -> bool {
    plan.mounts.iter().any(|mount| {
        is_shut(mount.kind)
            && mount.path != path
            && mount.path.starts_with(path)
            && !plan.folders.contains(&mount.path)
            && tree.kind(&mount.path).is_some()
    })
}

const fn is_shut(kind: MountKind) -> bool {
    matches!(kind, MountKind::ReadOnly | MountKind::Protected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_gets_the_rules_that_it_knows() {
        let cut_off = ConfinementPlan { network: Network::Own, ..ConfinementPlan::default() };
        let rules = |version: u32| {
            let (alone, all) =
                (Version(version).scopes_alone(&cut_off), Version(version).everything(&cut_off));
            (Version(version).size(), alone.files, alone.scoped, all.files, all.network, all.scoped)
        };
        let writing = WRITE_FILE | REMOVE_AND_MAKE;
        assert_eq!(rules(1), (8, 0, 0, writing, 0, 0));
        assert_eq!(rules(2), (8, 0, 0, writing | REFER, 0, 0));
        assert_eq!(rules(3), (8, 0, 0, writing | REFER | TRUNCATE, 0, 0));
        assert_eq!(rules(4), (16, 0, 0, writing | REFER | TRUNCATE, 3, 0));
        assert_eq!(rules(6), (24, 0, 3, writing | REFER | TRUNCATE, 3, 3));
        assert_eq!(rules(8), rules(6));
        let with_sockets = writing | REFER | TRUNCATE | RESOLVE_UNIX;
        assert_eq!(rules(9), (24, RESOLVE_UNIX, 3, with_sockets, 3, 3));
        let shared = ConfinementPlan::default();
        assert_eq!(Version(9).scopes_alone(&shared).scoped, SCOPE_ABSTRACT_SOCKETS);
        let mute = ConfinementPlan { own_signals: true, ..shared };
        assert_eq!(Version(9).scopes_alone(&mute).scoped, SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS);
        assert_eq!(Version(9).everything(&mute).network, 0);
    }

    #[test]
    fn sockets_are_permitted_one_by_one_where_the_kernel_refuses_all_others() {
        let sockets = vec![PathBuf::from("/w/src"), PathBuf::from("/home/u/agent.sock")];
        let plan = ConfinementPlan { sockets: sockets.clone(), ..ConfinementPlan::default() };
        assert_eq!(Version(8).permitted_sockets(&plan), Vec::<PathBuf>::new());
        assert_eq!(Version(9).permitted_sockets(&plan), sockets);
    }
}
