//! Processes, schedules, disks, firewalls, and agents without their brakes.

use super::agent_switches;
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::walk::{Call, Walker};

pub(crate) fn kill(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    if words.iter().any(|word| !word.is_known()) && finds_system_process(walker) {
        walker.risk(RuleId::ProcessKillAll, call.name.clone(), call.span);
    }
    if call.name == "kill" {
        if words.iter().any(|word| matches!(word.text.as_str(), "-l" | "-L")) {
            return Some(Class::ReadOnly);
        }
        if words.iter().any(|word| word.text.contains("steersman")) {
            walker.risk(RuleId::GuardOff, "steersman is stopped", call.span);
        }
        let everyone = words.iter().skip(1).any(|word| word.text == "-1")
            || words.iter().any(|word| word.text == "1")
                && !words.iter().any(|word| word.text == "-s" || word.text == "-n");
        if everyone {
            walker.risk(RuleId::ProcessKillAll, "every process", call.span);
        }
    } else {
        let names: Vec<&str> = args.words().collect();
        // Every word: `-STOP` is a signal, not bundled options of which one takes the name.
        if words.iter().any(|word| word.text.contains("steersman")) {
            walker.risk(RuleId::GuardOff, "steersman is stopped", call.span);
        }
        if names.iter().any(|name| {
            matches!(
                *name,
                "." | ".*" | "*" | "systemd" | "init" | "sshd" | "Xorg" | "loginwindow" | "WindowServer"
            ) || WATCHERS.contains(name)
        }) || args.has("-u|--user|-U|--euid") && call.name != "pkill"
            || args.has("-u|-U") && names.is_empty()
        {
            walker.risk(RuleId::ProcessKillAll, names.join(" "), call.span);
        }
    }
    None
}

/// Programs that watch over the machine for its owner; who stops them hides from them.
const WATCHERS: [&str; 18] = [
    "auditd",
    "auditbeat",
    "clamd",
    "crowdstrike",
    "cbagentd",
    "esets",
    "falcon-sensor",
    "falcond",
    "fail2ban",
    "filebeat",
    "mdatp",
    "osqueryd",
    "ossec",
    "rsyslogd",
    "sentinelone",
    "sysmon",
    "tetragon",
    "wazuh-agentd",
];

/// Returns whether the line has looked for a process that the machine needs: `kill $(pgrep sshd)`, `ps | grep sshd | … | xargs kill`.
fn finds_system_process(walker: &Walker<'_>) -> bool {
    const NEEDED: [&str; 8] =
        ["sshd", "systemd", "init", "Xorg", "loginwindow", "WindowServer", "dbus-daemon", "steersman"];
    walker.reading.commands.iter().any(|command| {
        // `pgrep -u root`: every process of a user.
        let words = || command.argv.iter().skip(1);
        let is_of_user = |text: &str| matches!(text, "-u" | "-U" | "--euid" | "--uid");
        let by_user = command.program == "pgrep"
            && words().any(|word| is_of_user(&word.text))
            && words().filter(|word| !word.text.starts_with('-')).count() < 2;
        by_user
            || matches!(
                command.program.as_str(),
                "pgrep" | "pidof" | "grep" | "egrep" | "rg" | "awk" | "gawk" | "sed" | "ps"
            ) && command.argv.iter().skip(1).any(|word| {
                word.text
                    .split(|character: char| !(character.is_ascii_alphanumeric() || character == '-'))
                    .any(|part| NEEDED.contains(&part) || WATCHERS.contains(&part))
            })
    })
}

pub(crate) fn crontab(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-l") {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::Schedule, if args.has("-r") { "crontab -r" } else { "crontab" }, call.span);
    None
}

pub(crate) fn schedule(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-l|-c") {
        return Some(Class::ReadOnly);
    }
    if walker.stdin().is_some_and(|input| input.taint.has(crate::text::Taint::FETCHED)) {
        walker.reading.runs_fetched_code = true;
        walker.risk(RuleId::FetchedCode, call.name.clone(), call.span);
    }
    if let Some(text) = walker.stdin().and_then(|input| input.value()).map(str::to_owned) {
        walker.through(&call.name, |walker| walker.text(&text, call.span, Origin::Text(call.name.clone())));
    }
    walker.risk(RuleId::ScheduleLater, call.name.clone(), call.span);
    None
}

/// Tcl: `exec`, `spawn` and `system` start the program behind them.
#[expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]
pub(crate) fn tcl(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut code: Vec<String> = args.values("-c").iter().map(|code| code.text.clone()).collect();
    if args.operands.is_empty() {
        code.extend(walker.stdin().and_then(|input| input.value()).map(str::to_owned));
    }
    for line in code.iter().flat_map(|code| code.split([';', '\n', '[', ']'])).take(256) {
        let line = line.trim();
        let command = ["exec ", "spawn ", "system ", "send "].iter().find_map(|verb| line.strip_prefix(verb));
        if let Some(command) = command {
            let command =
                command.trim_matches(['"', '{', '}', ' ']).replace("\\r", "").replace("-noecho ", "");
            walker.through(&call.name, |walker| {
                walker.text(&command, call.span, Origin::Text(call.name.clone()))
            });
        }
    }
    Some(Class::Unknown)
}

pub(crate) fn disk(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    // Without an option that erases, wipefs lists what it finds; these of sfdisk print the table.
    let prints = match call.name.as_str() {
        "wipefs" => !args.has("-a|--all|-o|--offset|-f|--force|-t|--types|-b|--backup"),
        "sfdisk" => {
            args.has("-d|--dump|-J|--json|-F|--list-free|-s|--show-size|-V|--verify")
                && !args
                    .has("--delete|-A|--activate|-a|--append|-N|-w|--wipe|-W|--wipe-partitions|-r|--reorder")
        }
        _ => false,
    };
    if prints {
        return Some(Class::ReadOnly);
    }
    if call.name == "wipefs" {
        walker.risk(RuleId::Disk, call.name.clone(), call.span);
        return None;
    }
    let looks = args.has("-l|--list|-p|--print|-I|-i|-g|--detail|-v|--version|-tT|-t|-T|--examine|--verify")
        || args.words().any(|word| {
            matches!(
                word,
                "print" | "status" | "luksDump" | "isLuks" | "open" | "luksOpen" | "close" | "luksClose"
            )
        });
    if looks && !args.has("-Z|--zap-all|-o|--security-erase|--zero-superblock|--stop") {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::Disk, call.name.clone(), call.span);
    None
}

pub(crate) fn mount(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.operands.is_empty() && !args.has("-a|--all") {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::Mount, args.word(0), call.span);
    None
}

/// `networksetup -setdnsservers …`: the setter is the option itself.
pub(crate) fn sets_system(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let setter = call.rest().iter().find(|word| word.text.starts_with("-set"))?;
    walker.risk(RuleId::SystemSettings, setter.text.clone(), call.span);
    Some(Class::Writes)
}

pub(crate) fn sysctl(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if !args.has("-w|--write|-p|--load") && !args.words().any(|word| word.contains('=')) {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::Kernel, args.word(0), call.span);
    None
}

pub(crate) fn firewall(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    // iptables names a source with `-s`, pfctl what it shows.
    if args.has("-L|--list|-S|--list-rules") || call.name == "pfctl" && args.has("-s") {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::Firewall, call.name.clone(), call.span);
    None
}

pub(crate) fn ip(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args
        .words()
        .any(|word| matches!(word, "add" | "del" | "delete" | "flush" | "set" | "change" | "replace"))
    {
        walker.risk(RuleId::ServiceChange, "ip", call.span);
        return Some(Class::Writes);
    }
    None
}

pub(crate) fn journal(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--vacuum-size|--vacuum-time|--vacuum-files|--rotate") {
        walker.risk(RuleId::LogTampering, "journalctl --vacuum", call.span);
        return Some(Class::Destructive);
    }
    None
}

pub(crate) fn history(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-c|-w|-d|-a") {
        walker.risk(RuleId::LogTampering, "history -c", call.span);
        return Some(Class::Writes);
    }
    None
}

pub(crate) fn init(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if matches!(args.word(0), "0" | "1" | "6" | "s" | "S") {
        walker.risk(RuleId::Power, format!("init {}", args.word(0)), call.span);
        return None;
    }
    Some(Class::Unknown)
}

/// Agents that run without asking the user.
pub(crate) fn agent(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    const OFF: &str = "--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--yolo|--allow-all-tools|--allow-all-paths|--full-auto|--allow-dangerously-skip-permissions|--allow-all|--yes-always";
    if OFF.split('|').any(|flag| call.rest().iter().any(|word| word.text == flag))
        || args.values("--approval-mode|--permission-mode|--sandbox|--ask-for-approval|-a|-s").iter().any(
            |value| {
                matches!(value.text.as_str(), "yolo" | "bypassPermissions" | "danger-full-access" | "never")
            },
        )
        || call.rest().iter().any(|word| {
            word.text.contains("danger-full-access")
                || word.text.contains("approval_policy") && word.text.contains("never")
                || word.text.contains("bypassPermissions")
                || word.text == "--approval-mode=yolo"
        })
    {
        walker.risk(RuleId::AgentUnguarded, call.name.clone(), call.span);
    }
    agent_switches::check(walker, call);
    let takes_all = call.rest().windows(2).any(|pair| {
        matches!(pair[0].text.as_str(), "--approval-mode" | "--permission-mode" | "--ask-for-approval" | "-a")
            && matches!(pair[1].text.as_str(), "yolo" | "bypassPermissions" | "never")
    });
    if takes_all {
        walker.risk(RuleId::AgentUnguarded, call.name.clone(), call.span);
    }
    // `gemini -y`, `cursor-agent -f`: the short spellings.
    let short: &[&str] = match call.name.as_str() {
        "gemini" | "qwen" => &["-y"],
        "cursor-agent" => &["-f", "--force"],
        _ => &[],
    };
    if call.rest().iter().any(|word| short.contains(&word.text.as_str())) {
        walker.risk(RuleId::AgentUnguarded, call.name.clone(), call.span);
    }
    None
}
