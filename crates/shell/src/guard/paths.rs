//! Rules about deleted, written and read paths.

use super::RuleId;
use super::zone::{Ground, Zone, is_tmp_root, zone};
use crate::path::{Certainty, PathUse};
use crate::reading::{Origin, Reading, Site};
use crate::secrets;

/// A rule that fits a path.
pub(super) struct Hit {
    pub rule: RuleId,
    pub about: String,
}

/// Judges a path that is deleted.
pub(super) fn deleted(used: &PathUse, reading: &Reading) -> Option<Hit> {
    let in_script = in_script(used, reading);
    if used.certainty == Certainty::Unknown {
        return (used.recursive && !in_script && used.site == Site::Local)
            .then(|| unknown(&used.path))
            .flatten();
    }
    let target = Target::of(used);
    let about = used.path.clone();
    if used.site != Site::Local {
        return elsewhere(used, &target, about);
    }
    let zone = zone(&target.base, Ground::of(reading));
    // Everything a search finds below a folder is as much as the folder.
    let recursive = used.recursive || used.path.contains("/**");
    let rule = match zone {
        // A file of unknown name right below the root, not the root itself.
        Zone::Root if !recursive && used.certainty == Certainty::Below => RuleId::DeleteOutsideFile,
        Zone::Root => RuleId::DeleteRoot,
        Zone::Device | Zone::System => RuleId::DeleteSystem,
        Zone::Startup | Zone::Keys => RuleId::DeleteUserSettings,
        Zone::AgentSettings => RuleId::AgentSettings,
        Zone::Home if recursive || !target.is_part => RuleId::DeleteHome,
        Zone::Home => RuleId::DeleteOutsideFile,
        Zone::Workspace if target.is_narrowed && target.base == reading.workspace => return None,
        Zone::TmpRoot if target.is_narrowed => return None,
        Zone::Workspace if recursive || !target.is_part => RuleId::DeleteWorkspace,
        Zone::Workspace if target.base == reading.workspace => RuleId::DeleteAllFiles,
        Zone::Workspace => RuleId::DeleteOutsideFile,
        Zone::Repository if target.is_part && target.is_narrowed => return None,
        Zone::Repository if recursive || !target.is_part => RuleId::DeleteRepository,
        Zone::Repository | Zone::RepositorySettings => RuleId::RepositorySettings,
        Zone::Cache | Zone::TmpRoot if recursive => {
            if zone == Zone::TmpRoot && !target.is_part {
                RuleId::DeleteOutside
            } else {
                RuleId::DeleteCache
            }
        }
        Zone::Addon | Zone::InHome | Zone::Outside if recursive => RuleId::DeleteOutside,
        Zone::Addon | Zone::InHome | Zone::Outside => RuleId::DeleteOutsideFile,
        // The folder also holds files of other readers, but the registrations of Copilot and VS Code go with it.
        Zone::Inside if target.base.ends_with("/.github") && (recursive || !target.is_part) => {
            RuleId::AgentSettings
        }
        Zone::Inside if recursive && target.base.ends_with("/.git") => RuleId::DeleteNestedRepository,
        Zone::Inside | Zone::Tmp | Zone::Cache | Zone::TmpRoot | Zone::SharedSettings => return None,
    };
    Some(Hit { rule, about })
}

/// Judges a path that is written or created.
pub(super) fn written(used: &PathUse, reading: &Reading) -> Option<Hit> {
    if used.certainty == Certainty::Unknown || used.site != Site::Local {
        return None;
    }
    let about = used.path.clone();
    let rule = rule_of_write(&Target::of(used).base, &about, Ground::of(reading))?;
    Some(Hit { rule, about })
}

/// Returns the rule about writing to `path`, or below it if `written` names more.
pub(super) fn rule_of_write(path: &str, written: &str, ground: Ground<'_>) -> Option<RuleId> {
    const DISKS: [&str; 15] = [
        "/dev/sd",
        "/dev/hd",
        "/dev/nvme",
        "/dev/vd",
        "/dev/xvd",
        "/dev/disk",
        "/dev/mapper",
        "/dev/mmcblk",
        "/dev/mem",
        "/dev/kmem",
        "/dev/rdisk",
        "/dev/dm-",
        "/dev/md",
        "/dev/loop",
        "/dev/port",
    ];
    match zone(path, ground) {
        Zone::Device => DISKS.iter().any(|disk| path.starts_with(disk)).then_some(RuleId::WriteDevice),
        Zone::Root | Zone::System => Some(RuleId::WriteSystem),
        Zone::Startup => Some(RuleId::WriteStartup),
        Zone::Keys if written.ends_with("/known_hosts") => Some(RuleId::WriteOutside),
        Zone::Keys => Some(RuleId::WriteKeys),
        Zone::AgentSettings => Some(RuleId::AgentSettings),
        Zone::SharedSettings => Some(RuleId::SharedSettings),
        Zone::RepositorySettings | Zone::Repository => Some(RuleId::RepositorySettings),
        Zone::Addon | Zone::InHome | Zone::Outside | Zone::Home => Some(RuleId::WriteOutside),
        Zone::Workspace if path != ground.workspace && !is_tmp_root(path) => Some(RuleId::WriteOutside),
        Zone::Workspace | Zone::Inside | Zone::Tmp | Zone::TmpRoot | Zone::Cache => None,
    }
}

/// Returns the rule about removing the one file at `path`.
pub(super) fn rule_of_removal(path: &str, ground: Ground<'_>) -> Option<RuleId> {
    match zone(path, ground) {
        Zone::Device | Zone::System | Zone::Root => Some(RuleId::DeleteSystem),
        Zone::Startup | Zone::Keys => Some(RuleId::DeleteUserSettings),
        Zone::AgentSettings => Some(RuleId::AgentSettings),
        Zone::RepositorySettings | Zone::Repository => Some(RuleId::RepositorySettings),
        Zone::Addon | Zone::InHome | Zone::Outside | Zone::Home => Some(RuleId::DeleteOutsideFile),
        Zone::Workspace | Zone::Inside | Zone::Tmp | Zone::TmpRoot | Zone::Cache | Zone::SharedSettings => {
            None
        }
    }
}

/// Judges a path that is read.
pub(super) fn read(used: &PathUse, reading: &Reading) -> Option<Hit> {
    /// Programs that check a file without printing its content.
    const QUIET: [&str; 34] = [
        "ls",
        "eza",
        "exa",
        "tree",
        "stat",
        "file",
        "find",
        "fd",
        "du",
        "test",
        "wc",
        "md5sum",
        "sha256sum",
        "ssh",
        "ssh-keygen",
        "ssh-add",
        "ssh-copy-id",
        "git",
        "kubectl",
        "docker",
        "gpg",
        "namei",
        "getfacl",
        "locate",
        "chmod",
        "chown",
        "npm",
        "lsof",
        "touch",
        "mkdir",
        "readlink",
        "realpath",
        "sha1sum",
        "cksum",
    ];
    let is_unknown = used.certainty == Certainty::Unknown && !secrets::is_process_memory(&used.path);
    if used.site != Site::Local || is_unknown {
        return None;
    }
    let program = reading.commands.get(used.command).map_or("", |command| command.program.as_str());
    if used.path == reading.home
        || QUIET.contains(&program)
        || !secrets::is_credential_store(&used.path, &reading.home)
    {
        return None;
    }
    Some(Hit { rule: RuleId::SecretRead, about: used.path.clone() })
}

/// Judges the tree that permissions or owners are changed of.
pub(super) fn tree(path: &str, reading: &Reading) -> Zoned {
    match zone(path, Ground::of(reading)) {
        Zone::Inside
        | Zone::Tmp
        | Zone::RepositorySettings
        | Zone::Repository
        | Zone::SharedSettings
        | Zone::AgentSettings => Zoned::Ours,
        Zone::Workspace if path == reading.workspace => Zoned::Ours,
        Zone::Root
        | Zone::Device
        | Zone::System
        | Zone::Addon
        | Zone::Home
        | Zone::Startup
        | Zone::Keys
        | Zone::Cache
        | Zone::InHome
        | Zone::Workspace
        | Zone::TmpRoot
        | Zone::Outside => Zoned::NotOurs,
    }
}

/// Whether a tree is the workspace's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zoned {
    Ours,
    NotOurs,
}

/// In a container or on another machine only effects that are fatal everywhere count.
fn elsewhere(used: &PathUse, target: &Target, about: String) -> Option<Hit> {
    if !used.recursive {
        return None;
    }
    let fatal = target.base == "/"
        || matches!(
            target.base.as_str(),
            "/etc"
                | "/usr"
                | "/bin"
                | "/lib"
                | "/boot"
                | "/var"
                | "/home"
                | "/Users"
                | "/root"
                | "/data"
                | "/host"
        );
    // The data of a service, which mostly outlives its container.
    let is_data = ["/var/lib/", "/data/", "/bitnami/"].iter().any(|folder| target.base.starts_with(folder));
    match used.site {
        Site::Local | Site::Container | Site::Remote if fatal => {
            Some(Hit { rule: RuleId::DeleteRoot, about })
        }
        Site::Remote => Some(Hit { rule: RuleId::DeleteRemote, about }),
        Site::Container if is_data && !target.base.starts_with("/var/lib/apt/") => {
            Some(Hit { rule: RuleId::DeleteRemote, about })
        }
        Site::Local | Site::Container => None,
    }
}

/// A deletion whose path is decided at run time.
fn unknown(written: &str) -> Option<Hit> {
    if written.contains(":?") {
        return None;
    }
    let about = written.to_owned();
    // With an empty variable `"$X/"` and `"$X"/*` are the root.
    let tail = written.rfind(['}', '$']).map_or("", |at| {
        let rest = &written[at..];
        rest.find('/').map_or("", |slash| &rest[slash..])
    });
    let is_root = matches!(tail, "/" | "/*" | "/**" | "/." | "/.*" | "//");
    Some(Hit { rule: if is_root { RuleId::DeleteUnknownRoot } else { RuleId::DeleteUnknown }, about })
}

fn in_script(used: &PathUse, reading: &Reading) -> bool {
    reading
        .commands
        .get(used.command)
        .is_some_and(|command| matches!(command.origin, Origin::Script(_) | Origin::Code(_)))
}

/// The fixed part of a path.
struct Target {
    base: String,
    /// Only things in `base` are meant, not `base` itself.
    is_part: bool,
    /// Only some of the things below `base` are meant.
    is_narrowed: bool,
}

impl Target {
    fn of(used: &PathUse) -> Self {
        let path = used.path.as_str();
        match used.certainty {
            Certainty::Exact | Certainty::Unknown => {
                Self { base: path.to_owned(), is_part: false, is_narrowed: false }
            }
            Certainty::Below => {
                let fixed = path.split(['$', '`']).next().unwrap_or(path);
                let base =
                    fixed.rsplit_once('/').map_or("/", |(base, _)| if base.is_empty() { "/" } else { base });
                let is_root = base == "/";
                Self { base: base.to_owned(), is_part: !is_root, is_narrowed: true }
            }
            Certainty::Pattern => {
                let at = path.find(['*', '?', '[']).unwrap_or(path.len());
                let (base, pattern) = match path[..at].rfind('/') {
                    Some(0) | None => ("/", path.trim_start_matches('/')),
                    Some(slash) => (&path[..slash], &path[slash + 1..]),
                };
                // `*` is everything; `*.o`, `a*` and `**` of a search are some of it.
                let everything =
                    matches!(pattern, "*" | "**/*" | ".*" | "*.*" | ".[!.]*" | ".??*" | "{*,.*}")
                        || pattern.starts_with("*/") && pattern.ends_with('*');
                Self { base: base.to_owned(), is_part: true, is_narrowed: !everything }
            }
        }
    }
}
