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
    /// Needs more than data; returns the taint of its output.
    Special(fn(&mut Walker<'_>, &VerbCall<'_>) -> Taint),
}

use Does::{
    Copies, Deletes, Enters, Moves, Prints, Reads, Risks, RisksWith, Special, TouchesAll, TouchesFirst,
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
    verb("stop-process|spps|taskkill|kill", RisksWith(RuleId::ProcessKillAll, "*")),
    verb(
        "format|format-volume|clear-disk|diskpart|initialize-disk|remove-partition|set-partition",
        Risks(RuleId::Disk, ""),
    ),
    verb("cipher", RisksWith(RuleId::Disk, "/w")),
    verb("stop-computer|restart-computer|shutdown|logoff", Risks(RuleId::Power, "")),
    verb(
        "set-executionpolicy|set-mppreference|add-mppreference|disable-windowsdefender|netsh|set-netfirewallprofile|disable-netadapter|bcdedit",
        Risks(RuleId::Firewall, ""),
    ),
    verb(
        "reg|remove-itemproperty|set-itemproperty|new-itemproperty|regedit",
        Risks(RuleId::Registry, "query"),
    ),
    verb("vssadmin|wbadmin|clear-recyclebin", Risks(RuleId::BackupDelete, "list")),
    verb("clear-eventlog", Risks(RuleId::LogTampering, "")),
    verb_with("wevtutil", "cl|clear-log", Risks(RuleId::LogTampering, "")),
    verb("wevtutil", Prints),
    verb("schtasks|register-scheduledtask|unregister-scheduledtask", Risks(RuleId::Schedule, "/query")),
    verb("stop-service|set-service|remove-service|sc.exe", Risks(RuleId::ServiceOff, "")),
    verb("new-localuser|add-localgroupmember|remove-localuser", Risks(RuleId::Accounts, "")),
    verb_with("net", "user|localgroup", Special(verbs::net_user)),
    verb(
        "write-host|write-output|echo|write-error|write-verbose|title|rem|cls|clear-host|ver|pwd|set",
        Prints,
    ),
    verb(
        "get-process|get-service|get-date|get-command|get-help|get-location|get-variable|get-psdrive",
        Prints,
    ),
    verb("get-acl|get-filehash|get-member|whoami|hostname|systeminfo|ipconfig|tasklist|where", Prints),
    verb("where-object|select-object|sort-object|foreach-object|format-table|format-list|?|%", Prints),
    verb("convertto-json|convertfrom-json|out-null|out-string|join-path|split-path|resolve-path", Prints),
    verb("start-sleep|import-module|set-strictmode|return|exit|if|else|foreach|for|while", Prints),
    verb("try|catch|finally|function|param|switch|throw", Prints),
];

/// Returns the row of a verb that `first` follows; `None` for a program of the other tables.
pub(super) fn find(name: &str, first: &str) -> Option<&'static Verb> {
    let has = |words: &str, word: &str| words.split('|').any(|known| known.eq_ignore_ascii_case(word));
    VERBS.iter().find(|verb| has(verb.names, name) && (verb.first.is_empty() || has(verb.first, first)))
}
