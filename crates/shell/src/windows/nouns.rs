//! Cmdlets that no table names: the verb says what they do, the noun to what.

use crate::guard::RuleId;

/// Verbs after which something is gone or no longer works.
const REMOVE: [&str; 15] = [
    "remove",
    "uninstall",
    "disable",
    "clear",
    "reset",
    "revoke",
    "unregister",
    "dismount",
    "unpublish",
    "stop",
    "suspend",
    "block",
    "deny",
    "initialize",
    "format",
];

/// Verbs that make or change something.
const CHANGE: [&str; 14] = [
    "set", "new", "add", "enable", "register", "install", "grant", "start", "restart", "rename", "update",
    "invoke", "restore", "mount",
];

/// Nouns of the running session: nothing outside of it changes.
const OF_THE_SESSION: [&str; 24] = [
    "module",
    "variable",
    "job",
    "pssession",
    "alias",
    "psdrive",
    "event",
    "psbreakpoint",
    "typedata",
    "history",
    "host",
    "transcript",
    "pssnapin",
    "object",
    "timespan",
    "guid",
    "sleep",
    "table",
    "list",
    "wide",
    "custom",
    "hex",
    "threadjob",
    "member",
];

/// How nouns begin, with the rule for their removal and the rule for their change. The first that fits counts.
const NOUNS: &[(&str, RuleId, Option<RuleId>)] = &[
    ("azrole", RuleId::CloudAccess, Some(RuleId::CloudAccess)),
    ("azad", RuleId::CloudAccess, Some(RuleId::CloudAccess)),
    ("az", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("mg", RuleId::CloudAccess, Some(RuleId::CloudAccess)),
    ("ec2", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("s3", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("iam", RuleId::CloudAccess, Some(RuleId::CloudAccess)),
    ("rds", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("cfn", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("gce", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("gcs", RuleId::CloudDelete, Some(RuleId::CloudChange)),
    ("ad", RuleId::Accounts, Some(RuleId::Accounts)),
    ("local", RuleId::Accounts, Some(RuleId::Accounts)),
    ("net", RuleId::Firewall, Some(RuleId::Firewall)),
    ("dnsclient", RuleId::Firewall, Some(RuleId::Firewall)),
    ("mp", RuleId::Firewall, Some(RuleId::Firewall)),
    ("vm", RuleId::InfrastructureDestroy, Some(RuleId::InfrastructureApply)),
    ("vhd", RuleId::Disk, Some(RuleId::Disk)),
    ("disk", RuleId::Disk, Some(RuleId::Disk)),
    ("partition", RuleId::Disk, Some(RuleId::Disk)),
    ("volume", RuleId::Disk, Some(RuleId::Disk)),
    ("physicaldisk", RuleId::Disk, Some(RuleId::Disk)),
    ("virtualdisk", RuleId::Disk, Some(RuleId::Disk)),
    ("storage", RuleId::Disk, Some(RuleId::Disk)),
    ("bitlocker", RuleId::Disk, Some(RuleId::Disk)),
    ("service", RuleId::ServiceOff, Some(RuleId::ServiceChange)),
    ("scheduled", RuleId::Schedule, Some(RuleId::Schedule)),
    ("windows", RuleId::SystemPackages, Some(RuleId::SystemInstall)),
    ("appx", RuleId::SystemPackages, Some(RuleId::SystemInstall)),
    ("package", RuleId::SystemPackages, None),
    ("sql", RuleId::DatabaseDrop, None),
    ("dba", RuleId::DatabaseDrop, None),
    ("eventlog", RuleId::LogTampering, None),
    ("winevent", RuleId::LogTampering, None),
    ("computerrestore", RuleId::BackupDelete, None),
    ("cluster", RuleId::ClusterDelete, Some(RuleId::ClusterChange)),
    ("psremoting", RuleId::SystemSettings, Some(RuleId::RemoteAccess)),
    ("computer", RuleId::SystemSettings, Some(RuleId::SystemSettings)),
    ("date", RuleId::SystemSettings, Some(RuleId::SystemSettings)),
    ("timezone", RuleId::SystemSettings, Some(RuleId::SystemSettings)),
    ("acl", RuleId::PermissionsOutside, Some(RuleId::SystemSettings)),
    ("wmi", RuleId::SystemSettings, Some(RuleId::OpaqueCode)),
    ("cim", RuleId::SystemSettings, Some(RuleId::OpaqueCode)),
];

/// Returns the rule that judges a cmdlet named `verb-noun`, in lower case. Returns `None` for other programs, and
/// for cmdlets whose effect is ordinary or unknown.
pub(super) fn rule(name: &str) -> Option<RuleId> {
    let (verb, noun) = name.split_once('-')?;
    if noun.contains(['-', '.', '_']) || OF_THE_SESSION.contains(&noun) {
        return None;
    }
    let removes = REMOVE.contains(&verb);
    if !removes && !CHANGE.contains(&verb) {
        return None;
    }
    match NOUNS.iter().find(|(begin, ..)| noun.starts_with(begin)) {
        Some((_, rule, _)) if removes => Some(*rule),
        Some((.., rule)) => *rule,
        None if matches!(verb, "uninstall" | "disable" | "unregister" | "revoke" | "dismount") => {
            Some(RuleId::SystemSettings)
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_decides_which_rule_judges_a_cmdlet() {
        for (name, expected) in [
            ("remove-azresourcegroup", Some(RuleId::CloudDelete)),
            ("new-aduser", Some(RuleId::Accounts)),
            ("disable-netfirewallrule", Some(RuleId::Firewall)),
            ("remove-vm", Some(RuleId::InfrastructureDestroy)),
            ("uninstall-windowsfeature", Some(RuleId::SystemPackages)),
            ("invoke-cimmethod", Some(RuleId::OpaqueCode)),
            ("remove-module", None),
            ("new-object", None),
            ("get-azvm", None),
            ("clang-format", None),
            ("set-thing", None),
            ("apt-get", None),
        ] {
            assert_eq!(rule(name), expected, "{name}");
        }
    }
}
