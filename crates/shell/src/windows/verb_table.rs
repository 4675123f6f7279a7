//! The table of verbs of PowerShell and cmd: the effect of each, as data.

use super::verbs::{self, VerbCall};
use crate::guard::RuleId;
use crate::text::Taint;
use crate::walk::{Act, Walker};

/// A row: verbs that do the same.
pub(super) struct Verb {
    /// Names in lower case, separated by `|`.
    pub names: &'static str,
    /// First words one of which must follow, separated by `|`; empty for any.
    pub first: &'static str,
    pub does: Does,
}

/// The use that a verb makes of its words.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// Prints, or directs the flow of the script.
    Prints,
    /// Reads its operands and prints them.
    Reads,
    /// Deletes its operands; with `-Recurse` or `/s` folders, too.
    Deletes,
    /// Does this with its first operand.
    TouchesFirst(Act),
    /// Does this with every operand.
    TouchesAll(Act),
    /// Removes the first operand and writes the second.
    Moves,
    /// Reads the first operand and writes the second.
    Copies,
    /// Goes to its first operand.
    Enters,
    /// A rule judges it, unless one of these words, separated by `|`, is given.
    Risks(RuleId, &'static str),
    /// A rule judges it if a word begins with one of these, separated by `|`.
    RisksWith(RuleId, &'static str),
    /// Changes something, or runs code that is not looked through.
    Changes,
    /// Needs more than data; returns the taint of its output.
    Special(fn(&mut Walker<'_>, &VerbCall<'_>) -> Taint),
}

use Does::{
    Changes, Copies, Deletes, Enters, Moves, Prints, Reads, Risks, RisksWith, Special, TouchesAll,
    TouchesFirst,
};

const fn verb(names: &'static str, does: Does) -> Verb {
    Verb { names, first: "", does }
}

const fn verb_with(names: &'static str, first: &'static str, does: Does) -> Verb {
    Verb { names, first, does }
}

/// Verbs that are not programs of the other tables.
static VERBS: &[Verb] = &[
    verb("remove-item|rm|ri|del|erase|rd|rmdir", Deletes),
    verb("new-item|ni", TouchesFirst(Act::Create)),
    verb(
        "clear-content|set-content|add-content|out-file|sc|ac|tee-object|export-csv",
        TouchesFirst(Act::Write),
    ),
    verb("mkdir|md", TouchesAll(Act::Create)),
    verb("move-item|mi|move|mv|rename-item|ren", Moves),
    verb("copy-item|cpi|copy|cp|xcopy", Copies),
    verb("robocopy", Special(verbs::robocopy)),
    verb("set-location|cd|sl|chdir|push-location|pushd", Enters),
    verb(
        "get-content|gc|cat|type|get-item|select-string|sls|get-childitem|gci|dir|ls|test-path|measure-object|findstr|more",
        Reads,
    ),
    verb("expand-archive", Special(verbs::expand_archive)),
    verb("invoke-expression|iex", Special(verbs::evaluate)),
    verb(
        "invoke-webrequest|iwr|invoke-restmethod|irm|curl|wget|downloadstring|start-bitstransfer",
        Special(verbs::fetch),
    ),
    verb("mshta|regsvr32|rundll32|certutil|bitsadmin", Special(verbs::fetch_in_disguise)),
    verb("start-process|saps|start", Special(verbs::start_process)),
    verb("powershell|pwsh", Special(verbs::nested_powershell)),
    verb("cmd", Special(verbs::nested_cmd)),
    verb("wmic", Special(verbs::wmic)),
    verb("takeown|icacls", Special(verbs::permissions)),
    verb("compress-archive", Special(verbs::compress_archive)),
    verb("stop-process|spps|taskkill|kill", Special(verbs::stop_process)),
    verb(
        "format|format-volume|clear-disk|diskpart|initialize-disk|remove-partition|set-partition",
        Risks(RuleId::Disk, ""),
    ),
    verb("manage-bde", Risks(RuleId::Disk, "-status")),
    verb_with("fsutil", "fsinfo|volume|dirty", Prints),
    verb("fsutil", RisksWith(RuleId::Disk, "setzerodata|deletejournal|setvaliddata")),
    verb("cipher", RisksWith(RuleId::Disk, "/w")),
    verb("stop-computer|restart-computer|shutdown|logoff", Risks(RuleId::Power, "")),
    verb("netsh", Risks(RuleId::Firewall, "show|dump")),
    verb("bcdedit", Risks(RuleId::Firewall, "/enum")),
    verb(
        "set-executionpolicy|set-mppreference|add-mppreference|disable-windowsdefender|set-netfirewallprofile|disable-netadapter",
        Risks(RuleId::Firewall, ""),
    ),
    verb(
        "reg|remove-itemproperty|set-itemproperty|new-itemproperty|regedit",
        Risks(RuleId::Registry, "query|export|compare"),
    ),
    verb("vssadmin|wbadmin|clear-recyclebin", Risks(RuleId::BackupDelete, "list|get")),
    verb("clear-eventlog", Risks(RuleId::LogTampering, "")),
    verb_with("wevtutil", "cl|clear-log", Risks(RuleId::LogTampering, "")),
    verb_with("wevtutil", "el|gl|qe|gli|enum-logs|get-log|query-events|get-log-info", Prints),
    verb("wevtutil", Changes),
    verb("schtasks|register-scheduledtask|unregister-scheduledtask", Risks(RuleId::Schedule, "/query")),
    verb("sc.exe", Risks(RuleId::ServiceOff, "query|queryex|qc|qdescription|enumdepend|getdisplayname")),
    verb("stop-service|set-service|remove-service", Risks(RuleId::ServiceOff, "")),
    verb("new-localuser|add-localgroupmember|remove-localuser", Risks(RuleId::Accounts, "")),
    verb_with("net", "user|localgroup", Special(verbs::net_user)),
    verb("cmdkey", Risks(RuleId::SystemSettings, "/list")),
    verb(
        "mimikatz|lazagne|pypykatz|rubeus|sharphound|secretsdump|pwdump|gsecdump|nanodump",
        Risks(RuleId::SecretRead, ""),
    ),
    verb(
        "write-host|write-output|echo|write-error|write-verbose|write-warning|write-debug|write-information|title|rem|cls|clear-host|ver|pwd|set",
        Prints,
    ),
    verb(
        "get-process|gps|get-service|gsv|get-date|get-command|gcm|get-help|get-location|gl|get-variable|gv|get-psdrive|gdr",
        Prints,
    ),
    verb(
        "get-acl|get-filehash|get-member|gm|whoami|hostname|systeminfo|ipconfig|tasklist|where|getmac|driverquery|netstat|tree",
        Prints,
    ),
    verb(
        "where-object|select-object|select|sort-object|sort|group-object|group|foreach-object|format-table|ft|format-list|fl|format-wide|fw|format-custom|format-hex|?|%",
        Prints,
    ),
    verb(
        "convertto-json|convertfrom-json|convertto-csv|convertfrom-csv|convertto-html|convertto-xml|out-null|out-string|out-host|oh|join-path|split-path|resolve-path|rvpa|convert-path",
        Prints,
    ),
    verb(
        "compare-object|compare|diff|measure-command|get-unique|select-xml|test-json|test-connection|test-netconnection|resolve-dnsname|get-random|get-uptime|get-timezone|get-culture|get-host|get-history|get-alias|get-error|get-job|get-module",
        Prints,
    ),
    verb(
        "get-nettcpconnection|get-netudpendpoint|get-netipaddress|get-netipconfiguration|get-netadapter|get-netroute|get-netfirewallrule|get-netfirewallprofile|get-dnsclientcache|get-eventlog|get-winevent|get-ciminstance|gcim|get-wmiobject|gwmi|get-volume|get-disk|get-partition|get-physicaldisk|get-hotfix|get-computerinfo",
        Prints,
    ),
    verb(
        "get-executionpolicy|get-scheduledtask|get-localuser|get-localgroup|get-localgroupmember|get-mpcomputerstatus|get-mppreference|get-itemproperty|gp|get-itempropertyvalue|gpv|get-package|get-installedmodule|get-psrepository|find-module|get-windowsfeature|get-windowsoptionalfeature|get-appxpackage|get-printer|get-pnpdevice|get-culture|get-verb|get-formatdata|get-typedata|get-runspace|get-pssession",
        Prints,
    ),
    verb("import-csv|import-clixml|import-powershelldatafile|format-hex|fc|comp", Reads),
    verb("start-sleep|sleep|set-strictmode|return|exit|if|elseif|else|foreach|for|while|do|until|in", Prints),
    verb("try|catch|finally|function|param|switch|throw|break|continue|begin|process|end", Prints),
    verb("import-module|ipmo|invoke-command|icm|invoke-item|ii|new-object|add-type|using", Changes),
];

/// Returns the row of a verb that `first` follows; `None` for a program of the other tables.
pub(super) fn find(name: &str, first: &str) -> Option<&'static Verb> {
    let has = |words: &str, word: &str| words.split('|').any(|known| known.eq_ignore_ascii_case(word));
    VERBS.iter().find(|verb| has(verb.names, name) && (verb.first.is_empty() || has(verb.first, first)))
}
