//! What the verbs of Windows shells do.

use super::path::to_posix;
use crate::guard::RuleId;
use crate::reading::{Class, Concern, Doubt};
use crate::span::Span;
use crate::text::{Taint, Text};
use crate::walk::{Act, Walker};

/// Follows one command of PowerShell or cmd; what it prints carries the returned taint.
#[expect(clippy::too_many_lines, reason = "one arm per verb")]
pub(super) fn run(walker: &mut Walker<'_>, words: &[Text], input: Taint, span: Span) -> Taint {
    let Some(first) = words.first() else { return Taint::NONE };
    let name = crate::walk::base_name(&first.text).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name).to_owned();
    let rest = &words[1..];
    let flag = |full: &str, least: usize| {
        rest.iter().any(|word| {
            let given = word.text.trim_start_matches(['-', '/']).to_ascii_lowercase();
            let given = given.split(':').next().unwrap_or("").to_owned();
            word.text.starts_with('-') && given.len() >= least && full.starts_with(&given)
        })
    };
    let slash = |letter: &str| rest.iter().any(|word| word.text.eq_ignore_ascii_case(letter));
    let paths = || operands(rest);
    let is_fetched = input.has(Taint::FETCHED);
    match name.as_str() {
        "remove-item" | "rm" | "ri" | "del" | "erase" | "rd" | "rmdir" => {
            walker.note(&name, words, span);
            let recursive = flag("recurse", 1)
                || slash("/s")
                || rest.iter().any(|word| word.text == "-rf" || word.text == "-fr");
            for path in paths() {
                walker.delete_path(&path, recursive, span);
            }
        }
        "clear-content" | "set-content" | "add-content" | "out-file" | "new-item" | "ni" | "sc" | "ac"
        | "tee-object" | "export-csv" => {
            walker.note(&name, words, span);
            let act = if name.starts_with("ne") || name == "ni" { Act::Create } else { Act::Write };
            if let Some(path) = paths().into_iter().next() {
                walker.touch(act, &path, span);
            }
        }
        "move-item" | "mi" | "move" | "mv" | "rename-item" | "ren" => {
            walker.note(&name, words, span);
            let found = paths();
            if let Some(source) = found.first() {
                walker.delete_path(source, false, span);
            }
            if let Some(target) = found.get(1) {
                walker.write_path(target, span);
            }
        }
        "copy-item" | "cpi" | "copy" | "cp" | "xcopy" | "robocopy" => {
            walker.note(&name, words, span);
            let found = paths();
            if let Some(source) = found.first() {
                walker.read_path(source, span);
            }
            if let Some(target) = found.get(1) {
                walker.write_path(target, span);
                if name == "robocopy" && (slash("/mir") || slash("/purge")) {
                    walker.risk(RuleId::SyncDelete, target.text.clone(), span);
                }
            }
        }
        "mkdir" | "md" => {
            walker.note(&name, words, span);
            for path in paths() {
                walker.touch(Act::Create, &path, span);
            }
        }
        "set-location" | "cd" | "sl" | "chdir" | "push-location" | "pushd" => {
            walker.note(&name, words, span);
            if let Some(path) = paths().into_iter().next() {
                walker.enter_folder(&path);
            }
        }
        "get-content" | "gc" | "cat" | "type" | "get-item" | "select-string" | "sls" | "get-childitem"
        | "gci" | "dir" | "ls" | "test-path" | "measure-object" | "findstr" | "more" => {
            walker.note(&name, words, span);
            let mut taint = Taint::PRINTED.with(input);
            for path in paths() {
                if let Some(path) = walker.read_path(&path, span) {
                    taint = taint.with(walker.secrecy(&path));
                }
            }
            return taint;
        }
        "invoke-expression" | "iex" => {
            let command = walker.note(&name, words, span);
            walker.classify(command, Class::Unknown);
            walker.doubt(Doubt::Code, name, span);
            let taint = rest.iter().fold(input, |taint, word| taint.with(word.taint));
            if is_fetched || taint.has(Taint::FETCHED) {
                walker.reading.runs_fetched_code = true;
                walker.risk(RuleId::FetchedCode, "Invoke-Expression", span);
            } else if let Some(text) = rest.first().and_then(Text::value) {
                let text = text.to_owned();
                walker.enter(|walker| super::powershell::read(walker, &text));
            } else {
                walker.risk(RuleId::OpaqueCode, "Invoke-Expression", span);
            }
        }
        "invoke-webrequest" | "iwr" | "invoke-restmethod" | "irm" | "curl" | "wget" | "downloadstring"
        | "start-bitstransfer" => {
            walker.note(&name, words, span);
            walker.reading.network = true;
            let at = rest.iter().position(|word| {
                matches!(
                    word.text.to_ascii_lowercase().as_str(),
                    "-outfile" | "-o" | "-destination" | "-output"
                )
            });
            if let Some(file) = at.and_then(|at| rest.get(at + 1)) {
                let file = posix(file);
                if let Some(path) = walker.write_path(&file, span) {
                    walker.remember(&path, Text::unknown("$_output", Taint::FETCHED));
                }
            }
            let sent = rest.iter().fold(input, |taint, word| taint.with(word.taint));
            if sent.has(Taint::SECRET) {
                walker.risk(RuleId::SecretExfiltration, name, span);
            }
            let is_local = rest
                .iter()
                .any(|word| word.text.contains("//localhost") || word.text.contains("//127.0.0.1"));
            return if is_local { Taint::PRINTED } else { Taint::FETCHED };
        }
        "format" | "format-volume" | "clear-disk" | "diskpart" | "initialize-disk" | "remove-partition"
        | "set-partition" | "cipher" => {
            walker.note(&name, words, span);
            if name != "cipher" || rest.iter().any(|word| word.text.to_ascii_lowercase().starts_with("/w")) {
                walker.risk(RuleId::Disk, name, span);
            }
        }
        "stop-computer" | "restart-computer" | "shutdown" | "logoff" => {
            walker.note(&name, words, span);
            walker.risk(RuleId::Power, name, span);
        }
        "set-executionpolicy" => {
            walker.note(&name, words, span);
            walker.risk(RuleId::Firewall, "Set-ExecutionPolicy", span);
        }
        "set-mppreference"
        | "add-mppreference"
        | "disable-windowsdefender"
        | "netsh"
        | "set-netfirewallprofile"
        | "disable-netadapter"
        | "bcdedit" => {
            walker.note(&name, words, span);
            walker.risk(RuleId::Firewall, name, span);
        }
        "reg" | "remove-itemproperty" | "set-itemproperty" | "new-itemproperty" | "regedit" => {
            walker.note(&name, words, span);
            let looks = rest.first().is_some_and(|word| word.text.eq_ignore_ascii_case("query"));
            if !looks {
                walker.risk(RuleId::Registry, rest.first().map_or("", |word| word.text.as_str()), span);
            }
        }
        "vssadmin" | "wbadmin" | "clear-recyclebin" => {
            walker.note(&name, words, span);
            let looks = rest.first().is_some_and(|word| word.text.eq_ignore_ascii_case("list"));
            if !looks {
                walker.risk(RuleId::BackupDelete, name, span);
            }
        }
        "wmic" => {
            walker.note(&name, words, span);
            let has = |wanted: &str| rest.iter().any(|word| word.text.eq_ignore_ascii_case(wanted));
            if has("delete") || has("terminate") {
                let rule = if has("shadowcopy") { RuleId::BackupDelete } else { RuleId::SystemSettings };
                walker.risk(rule, name, span);
            } else if has("create") {
                walker.risk(RuleId::OpaqueCode, "wmic process call create", span);
            }
        }
        "mshta" | "regsvr32" | "rundll32" | "certutil" | "bitsadmin" => {
            walker.note(&name, words, span);
            let is_remote = rest.iter().any(|word| {
                let lower = word.text.to_ascii_lowercase();
                lower.contains("http://") || lower.contains("https://") || lower.contains("javascript:")
            });
            if is_remote {
                // Downloads under another name; the first three run what they fetch.
                walker.reading.network = true;
                let runs = matches!(name.as_str(), "mshta" | "regsvr32" | "rundll32");
                walker.reading.runs_fetched_code |= runs;
                walker.risk(if runs { RuleId::FetchedCode } else { RuleId::OpaqueCode }, name, span);
            }
        }
        "wevtutil" | "clear-eventlog" => {
            walker.note(&name, words, span);
            if name != "wevtutil"
                || rest.first().is_some_and(|word| matches!(word.text.as_str(), "cl" | "clear-log"))
            {
                walker.risk(RuleId::LogTampering, name, span);
            }
        }
        "schtasks" | "register-scheduledtask" | "unregister-scheduledtask" => {
            walker.note(&name, words, span);
            if !slash("/query") {
                walker.risk(RuleId::Schedule, name, span);
            }
        }
        "stop-service" | "set-service" | "remove-service" | "sc.exe" => {
            walker.note(&name, words, span);
            walker.risk(RuleId::ServiceOff, name, span);
        }
        "new-localuser" | "add-localgroupmember" | "remove-localuser" => {
            walker.note(&name, words, span);
            walker.risk(RuleId::Accounts, name, span);
        }
        "net"
            if rest.first().is_some_and(|word| {
                matches!(word.text.to_ascii_lowercase().as_str(), "user" | "localgroup")
            }) && rest.len() > 1 =>
        {
            walker.note(&name, words, span);
            walker.risk(RuleId::Accounts, "net user", span);
        }
        "takeown" | "icacls" => {
            walker.note(&name, words, span);
            for path in paths().into_iter().take(1) {
                let (resolved, _) = walker.resolve(&path);
                walker.risk(Concern::PermissionsOfTree, resolved, span);
            }
        }
        "stop-process" | "spps" | "taskkill" | "kill" => {
            walker.note(&name, words, span);
            if rest.iter().any(|word| word.text == "*") {
                walker.risk(RuleId::ProcessKillAll, "every process", span);
            }
        }
        "start-process" | "saps" | "start" => {
            walker.note(&name, words, span);
            if rest.windows(2).any(|pair| {
                pair[0].text.eq_ignore_ascii_case("-verb") && pair[1].text.eq_ignore_ascii_case("runas")
            }) {
                walker.reading.privilege = true;
                walker.risk(RuleId::Privilege, "RunAs", span);
            }
            // `-ArgumentList "/c rd x"`, `-ArgumentList "/c","rd"`: words in one text.
            let inner: Vec<Text> = rest
                .iter()
                .filter(|word| !word.text.starts_with('-'))
                .enumerate()
                .flat_map(|(index, word)| if index == 0 { vec![word.clone()] } else { word.split(" ,") })
                .collect();
            walker.enter(|walker| run(walker, &inner, Taint::NONE, span));
        }
        "powershell" | "pwsh" => {
            walker.note(&name, words, span);
            nested_powershell(walker, rest, input, span);
        }
        "cmd" => {
            walker.note(&name, words, span);
            if let Some(at) =
                rest.iter().position(|word| matches!(word.text.to_ascii_lowercase().as_str(), "/c" | "/k"))
            {
                let line = rest[at + 1..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                walker.enter(|walker| super::cmd::read(walker, &line));
            }
        }
        "write-host" | "write-output" | "echo" | "write-error" | "write-verbose" | "get-process"
        | "get-service" | "get-date" | "get-command" | "get-help" | "get-location" | "pwd"
        | "where-object" | "select-object" | "sort-object" | "format-table" | "format-list"
        | "convertto-json" | "convertfrom-json" | "out-null" | "out-string" | "join-path" | "split-path"
        | "resolve-path" | "get-variable" | "get-psdrive" | "get-acl" | "?" | "cls" | "clear-host"
        | "ver" | "whoami" | "hostname" | "systeminfo" | "ipconfig" | "tasklist" | "where" | "set"
        | "rem" | "title" | "get-filehash" | "get-member" | "start-sleep" | "foreach-object" | "%"
        | "import-module" | "set-strictmode" | "return" | "exit" | "if" | "else" | "foreach" | "for"
        | "while" | "try" | "catch" | "finally" | "function" | "param" | "switch" | "throw" => {
            walker.note(&name, words, span);
            let is_dump = rest.first().is_some_and(|word| word.text.eq_ignore_ascii_case("env:"));
            return if is_dump { Taint::SECRET } else { input.with(Taint::PRINTED) };
        }
        _ => {
            // Programs are the same everywhere.
            let argv: Vec<Text> = words.iter().map(posix_word).collect();
            return walker.invoke(argv, span).taint;
        }
    }
    Taint::PRINTED
}

/// `powershell -Command …`, `-EncodedCommand …`.
fn nested_powershell(walker: &mut Walker<'_>, rest: &[Text], input: Taint, span: Span) {
    for (index, word) in rest.iter().enumerate() {
        let lower = word.text.to_ascii_lowercase();
        let given = lower.trim_start_matches(['-', '/']);
        if !lower.starts_with(['-', '/']) {
            if index == 0 || !rest[index - 1].text.starts_with('-') {
                let line = rest[index..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                walker.enter(|walker| super::powershell::read(walker, &line));
                return;
            }
        } else if given == "c" || given.len() >= 3 && "command".starts_with(given) {
            let line = rest[index + 1..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            if line.trim() == "-" && input.has(Taint::FETCHED) {
                walker.risk(RuleId::FetchedCode, "powershell -Command -", span);
            }
            walker.enter(|walker| super::powershell::read(walker, &line));
            return;
        } else if matches!(given, "e" | "ec" | "en" | "enc")
            || given.len() > 3 && "encodedcommand".starts_with(given)
        {
            let decoded = rest.get(index + 1).and_then(|text| decode_utf16(&text.text));
            match decoded {
                Some(line) => {
                    walker.enter(|walker| super::powershell::read(walker, &line));
                }
                None => walker.risk(RuleId::DecodedCode, "powershell -EncodedCommand", span),
            }
            return;
        }
    }
}

/// Base64 of UTF-16, as PowerShell takes it.
fn decode_utf16(text: &str) -> Option<String> {
    let bytes = crate::walk::decode_base64_bytes(text)?;
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok()
}

/// The words that are no parameters, their values included for `-Path` and its kin.
pub(super) fn operands(rest: &[Text]) -> Vec<Text> {
    let mut found = Vec::new();
    let mut skip = false;
    for word in rest {
        if skip {
            skip = false;
            continue;
        }
        let lower = word.text.to_ascii_lowercase();
        if lower.starts_with('-') && lower.len() > 1 && word.is_known() {
            // Parameters whose value is no path.
            skip = matches!(
                lower.as_str(),
                "-itemtype"
                    | "-type"
                    | "-value"
                    | "-encoding"
                    | "-filter"
                    | "-include"
                    | "-exclude"
                    | "-erroraction"
                    | "-ea"
                    | "-pattern"
                    | "-name"
                    | "-depth"
            );
            continue;
        }
        // `/s`, `/mir`: a switch of cmd. `/` alone is the root.
        if (2..=3).contains(&lower.len())
            && lower.starts_with('/')
            && lower[1..].bytes().all(|byte| byte.is_ascii_alphabetic())
        {
            continue;
        }
        for part in word.text.split(',').filter(|part| !part.is_empty()) {
            found.push(if word.is_known() { posix(&Text::known(part)) } else { posix(word) });
        }
    }
    found
}

fn posix_word(word: &Text) -> Text {
    let text = word.text.as_str();
    let is_path = text.contains('\\') && !text.contains(' ')
        || text.len() > 2 && text.as_bytes()[1] == b':' && text.as_bytes()[0].is_ascii_alphabetic();
    if is_path { posix(word) } else { word.clone() }
}

fn posix(word: &Text) -> Text {
    if !word.is_known() {
        return word.clone();
    }
    let text = to_posix(&word.text);
    let glob = text.contains(['*', '?']);
    Text { text, glob, ..word.clone() }
}
