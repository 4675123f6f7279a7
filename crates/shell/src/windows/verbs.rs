//! Follows one command of PowerShell or cmd.

use super::nouns;
use super::to_posix;
use super::verb_table::{self, Does};
use crate::guard::RuleId;
use crate::reading::{Class, Concern, Doubt, Span};
use crate::text::{Taint, Text};
use crate::walk::{Act, Walker};

/// A verb with its words.
pub(super) struct VerbCall<'a> {
    /// In lower case, without `.exe`.
    name: &'a str,
    rest: &'a [Text],
    /// The taint of the pipeline's input.
    input: Taint,
    span: Span,
    /// The index of the command in the reading.
    command: usize,
}

/// Follows one command; returns the taint of its output.
pub(super) fn run(walker: &mut Walker<'_>, words: &[Text], input: Taint, span: Span) -> Taint {
    let Some((first, rest)) = words.split_first() else { return Taint::NONE };
    let name = crate::walk::base_name(&first.text).to_ascii_lowercase();
    let full = name.as_str();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let behind = rest.first().map_or("", |word| word.text.as_str());
    // With `.exe` it is the program, not the alias of that name: `sc.exe`, `curl.exe`.
    let is_program = (full != name || has_program_options(rest)) && matches!(name, "curl" | "wget" | "sort");
    let verb =
        verb_table::find(full, behind).or_else(|| verb_table::find(name, behind)).filter(|_| !is_program);
    let Some(verb) = verb else {
        // Programs are the same everywhere.
        let mut argv: Vec<Text> = words.iter().map(posix_word).collect();
        if is_program {
            argv[0] = Text::known(name);
        }
        if let Some(rule) = nouns::rule(name) {
            walker.risk(rule, first.text.clone(), span);
        }
        return walker.invoke(argv, span).taint;
    };
    let command = walker.note(name, words, span);
    let call = VerbCall { name, rest, input, span, command };
    match verb.does {
        Does::Prints => {
            let is_dump = rest.first().is_some_and(|word| word.text.eq_ignore_ascii_case("env:"));
            return if is_dump { Taint::SECRET } else { input.with(Taint::PRINTED) };
        }
        Does::Reads => {
            let mut taint = Taint::PRINTED.with(input);
            for path in operands(rest) {
                if let Some(path) = walker.read_path(&path, span) {
                    taint = taint.with(walker.secrecy(&path));
                }
            }
            return taint;
        }
        Does::Deletes => {
            let recursive = call.has_parameter("recurse") || call.has_any("/s|-rf|-fr");
            for path in operands(rest) {
                if is_registry(&path.text) {
                    walker.risk(RuleId::Registry, path.text.clone(), span);
                }
                walker.delete_path(&path, recursive, span);
            }
        }
        Does::TouchesFirst(act) => {
            for path in operands(rest).into_iter().take(1) {
                walker.touch(act, &path, span);
            }
        }
        Does::TouchesAll(act) => {
            for path in operands(rest) {
                walker.touch(act, &path, span);
            }
        }
        Does::Moves => pair(walker, &call, Act::Delete { recursive: false }),
        Does::Copies => pair(walker, &call, Act::Read),
        Does::Enters => {
            if let Some(path) = operands(rest).first() {
                walker.enter_folder(path);
            }
        }
        Does::Risks(rule, unless) => {
            if unless.is_empty() || !call.has_any(unless) {
                walker.classify(command, Class::Writes);
                walker.risk(rule, call.about(), span);
            }
        }
        Does::Changes => walker.classify(command, Class::Unknown),
        Does::RisksWith(rule, begins) => {
            let begins = |word: &Text| {
                let word = word.text.to_ascii_lowercase();
                begins.split('|').any(|begin| word.starts_with(begin))
            };
            walker.classify(command, Class::Writes);
            if rest.iter().any(begins) {
                walker.risk(rule, call.about(), span);
            }
        }
        Does::Special(special) => return special(walker, &call),
    }
    Taint::PRINTED
}

impl VerbCall<'_> {
    /// Returns whether a parameter is given, perhaps abbreviated: `-Recurse`, `-r`.
    fn has_parameter(&self, full: &str) -> bool {
        self.rest.iter().any(|word| {
            let given = word.text.trim_start_matches('-').to_ascii_lowercase();
            let given = given.split(':').next().unwrap_or("");
            word.text.starts_with('-') && !given.is_empty() && full.starts_with(given)
        })
    }

    /// Returns whether one of these words, separated by `|`, is given.
    fn has_any(&self, words: &str) -> bool {
        self.rest.iter().any(|word| words.split('|').any(|wanted| word.text.eq_ignore_ascii_case(wanted)))
    }

    /// The verb and its first word, for a reason.
    fn about(&self) -> String {
        self.rest.first().map_or_else(|| self.name.to_owned(), |word| format!("{} {}", self.name, word.text))
    }
}

/// Does something with the first operand and writes the second.
fn pair(walker: &mut Walker<'_>, call: &VerbCall<'_>, first: Act) {
    let found = operands(call.rest);
    if let Some(source) = found.first() {
        walker.touch(first, source, call.span);
    }
    if let Some(target) = found.get(1) {
        walker.write_path(target, call.span);
    }
}

/// `robocopy /mir` removes files that the source lacks.
pub(super) fn robocopy(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    pair(walker, call, Act::Read);
    if let Some(target) = operands(call.rest).get(1).filter(|_| call.has_any("/mir|/purge")) {
        walker.risk(RuleId::SyncDelete, target.text.clone(), call.span);
    }
    Taint::PRINTED
}

/// `Expand-Archive a.zip folder`: only with `-Force` it replaces files.
pub(super) fn expand_archive(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    let found = operands(call.rest);
    if let Some(archive) = found.first() {
        walker.read_path(archive, call.span);
    }
    let folder = found.get(1).cloned().unwrap_or_else(|| Text::known("."));
    walker.write_path(&folder, call.span);
    if call.has_parameter("force") {
        walker.unpack_unnamed(&folder, call.span);
    }
    Taint::PRINTED
}

/// `Invoke-Expression` runs its text, or the text of the pipeline.
pub(super) fn evaluate(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    walker.classify(call.command, Class::Unknown);
    walker.doubt(Doubt::Code, call.name, call.span);
    let taint = call.rest.iter().fold(call.input, |taint, word| taint.with(word.taint));
    if taint.has(Taint::FETCHED) {
        walker.reading.runs_fetched_code = true;
        walker.risk(RuleId::FetchedCode, "Invoke-Expression", call.span);
    } else if let Some(text) = call.rest.first().and_then(Text::value) {
        let text = text.to_owned();
        walker.enter(|walker| super::powershell::read(walker, &text));
    } else {
        walker.risk(RuleId::OpaqueCode, "Invoke-Expression", call.span);
    }
    Taint::PRINTED
}

/// Returns whether a path lies in the registry: `HKLM:\\Software`.
fn is_registry(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["hklm:", "hkcu:", "hkcr:", "hku:", "registry::", "hkey_"].iter().any(|drive| lower.starts_with(drive))
}

/// Returns whether options are those of the program `curl`, not of the alias: `-sSL`, `--data`.
fn has_program_options(rest: &[Text]) -> bool {
    rest.iter().any(|word| {
        let text = word.text.as_str();
        text.starts_with("--")
            || matches!(
                text,
                "-s" | "-S" | "-L" | "-X" | "-d" | "-F" | "-T" | "-O" | "-k" | "-I" | "-f" | "-sS"
            )
            || text.starts_with("-s") && text.len() < 6 && !text.starts_with("-se")
            || text.starts_with("-fs")
            || text.starts_with("-q")
    })
}

/// `Stop-Process`, `taskkill`: by name, by number, or everything.
pub(super) fn stop_process(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    /// Processes that Windows or its protection cannot do without.
    const NEEDED: [&str; 14] = [
        "lsass", "csrss", "winlogon", "wininit", "services", "svchost", "smss", "explorer", "system", "dwm",
        "msmpeng", "mssense", "sshd", "*",
    ];
    walker.classify(call.command, Class::Writes);
    let is_needed = |word: &Text| {
        let lower = word.text.to_ascii_lowercase();
        let name = lower.strip_suffix(".exe").unwrap_or(&lower);
        NEEDED.contains(&name)
    };
    // `Get-Process | Stop-Process`: all that the pipeline found.
    let takes_all = call.rest.iter().all(|word| word.text.starts_with('-'))
        && walker.reading.commands.iter().rev().nth(1).is_some_and(|before| {
            matches!(before.program.to_ascii_lowercase().as_str(), "get-process" | "gps" | "ps" | "tasklist")
                && before.argv.len() == 1
        });
    if takes_all || call.rest.iter().flat_map(|word| word.split(",")).any(|word| is_needed(&word)) {
        walker.risk(RuleId::ProcessKillAll, call.about(), call.span);
    }
    Taint::PRINTED
}

/// `Compress-Archive FOLDER a.zip`: the archive holds what the folder holds.
pub(super) fn compress_archive(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    walker.classify(call.command, Class::Writes);
    let found = operands(call.rest);
    let Some((archive, sources)) = found.split_last() else { return Taint::PRINTED };
    let mut taint = Taint::PRINTED;
    for source in sources {
        let path = walker.resolve(source).0;
        taint = taint.with(walker.taint_of_tree(&path));
        walker.read_path(source, call.span);
    }
    if let Some(path) = walker.write_path(archive, call.span) {
        walker.remember(&path, Text::unknown(format!("$(<{path})"), taint));
    }
    Taint::PRINTED
}

/// `Invoke-WebRequest URL -OutFile file` and its kin.
pub(super) fn fetch(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    walker.reading.network = true;
    let outputs = ["-outfile", "-o", "-destination", "-output"];
    let at =
        call.rest.iter().position(|word| outputs.iter().any(|output| word.text.eq_ignore_ascii_case(output)));
    if let Some(file) = at.and_then(|at| call.rest.get(at + 1)) {
        let file = posix(file);
        if let Some(path) = walker.write_path(&file, call.span) {
            walker.remember(&path, Text::unknown("$_output", Taint::FETCHED));
        }
    }
    let mut sent = call.rest.iter().fold(call.input, |taint, word| taint.with(word.taint));
    let is_local =
        call.rest.iter().any(|word| word.text.contains("//localhost") || word.text.contains("//127.0.0.1"));
    let uploads = call.has_any("upload");
    for pair in call.rest.windows(2) {
        let name = pair[0].text.to_ascii_lowercase();
        let is_data = name == "-infile" || name == "-form" || name == "-body" || uploads && name == "-source";
        if is_data {
            walker.classify(call.command, Class::Writes);
        }
        if name == "-infile" || uploads && name == "-source" {
            let file = posix(&pair[1]);
            let path = walker.resolve(&file).0;
            walker.read_path(&file, call.span);
            sent = sent.with(walker.taint_of_file(&path)).with(walker.secrecy(&path));
            walker.sent.push(path);
        }
        let reads_only =
            ["get", "head", "options"].iter().any(|method| pair[1].text.eq_ignore_ascii_case(method));
        if name.len() > 3 && "-method".starts_with(name.as_str()) && !reads_only {
            walker.classify(call.command, Class::Writes);
        }
    }
    walker.check_sent(false, is_local, call.span);
    if sent.has(Taint::SECRET) {
        walker.risk(RuleId::SecretExfiltration, call.name, call.span);
    }
    if is_local { Taint::PRINTED } else { Taint::FETCHED }
}

/// Programs that can also download; the first three run the downloaded code.
pub(super) fn fetch_in_disguise(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    walker.classify(call.command, Class::Unknown);
    if call.rest.iter().any(|word| word.text.to_ascii_lowercase().contains("comsvcs")) {
        // The memory of the process that holds all passwords.
        walker.risk(RuleId::SecretRead, call.about(), call.span);
    }
    let is_remote = call.rest.iter().any(|word| {
        let lower = word.text.to_ascii_lowercase();
        lower.contains("http://") || lower.contains("https://") || lower.contains("javascript:")
    });
    if is_remote {
        walker.reading.network = true;
        let runs = matches!(call.name, "mshta" | "regsvr32" | "rundll32");
        walker.reading.runs_fetched_code |= runs;
        walker.risk(if runs { RuleId::FetchedCode } else { RuleId::OpaqueCode }, call.name, call.span);
    }
    Taint::PRINTED
}

/// `wmic shadowcopy delete`, `wmic process call create`.
pub(super) fn wmic(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    if !call.has_any("get|list") {
        walker.classify(call.command, Class::Unknown);
    }
    if call.has_any("delete|terminate") {
        let rule = if call.has_any("shadowcopy") { RuleId::BackupDelete } else { RuleId::SystemSettings };
        walker.risk(rule, call.name, call.span);
    } else if call.has_any("create") {
        walker.risk(RuleId::OpaqueCode, "wmic process call create", call.span);
    }
    Taint::PRINTED
}

/// `net user NAME …` changes accounts; without a name it lists them.
pub(super) fn net_user(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    if call.rest.len() > 1 {
        walker.classify(call.command, Class::Writes);
        walker.risk(RuleId::Accounts, call.about(), call.span);
    }
    Taint::PRINTED
}

/// `takeown` and `icacls` matter by whose files they change.
pub(super) fn permissions(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    walker.classify(call.command, Class::Writes);
    if let Some(path) = operands(call.rest).first() {
        let (resolved, _) = walker.resolve(path);
        walker.risk(Concern::PermissionsOfTree, resolved, call.span);
    }
    Taint::PRINTED
}

/// `Start-Process cmd -ArgumentList "/c rd x"`: words in one text.
pub(super) fn start_process(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    if call
        .rest
        .windows(2)
        .any(|pair| pair[0].text.eq_ignore_ascii_case("-verb") && pair[1].text.eq_ignore_ascii_case("runas"))
    {
        walker.reading.privilege = true;
        walker.risk(RuleId::Privilege, "RunAs", call.span);
    }
    let words = call.rest.iter().filter(|word| !word.text.starts_with('-')).enumerate();
    let inner: Vec<Text> = words
        .flat_map(|(index, word)| if index == 0 { vec![word.clone()] } else { word.split(" ,") })
        .collect();
    walker.enter(|walker| run(walker, &inner, Taint::NONE, call.span));
    Taint::PRINTED
}

/// `cmd /c LINE`
pub(super) fn nested_cmd(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    let is_switch = |word: &Text| matches!(word.text.to_ascii_lowercase().as_str(), "/c" | "/k");
    if let Some(at) = call.rest.iter().position(is_switch) {
        let line = call.rest[at + 1..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        walker.enter(|walker| super::cmd::read(walker, &line));
    }
    Taint::PRINTED
}

/// `powershell -Command …`, `-EncodedCommand …`.
pub(super) fn nested_powershell(walker: &mut Walker<'_>, call: &VerbCall<'_>) -> Taint {
    let VerbCall { rest, input, span, .. } = *call;
    for (index, word) in rest.iter().enumerate() {
        let lower = word.text.to_ascii_lowercase();
        let given = lower.trim_start_matches(['-', '/']);
        if !lower.starts_with(['-', '/']) {
            if index == 0 || !rest[index - 1].text.starts_with('-') {
                let line = rest[index..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                walker.enter(|walker| super::powershell::read(walker, &line));
                return Taint::PRINTED;
            }
        } else if given == "c" || given.len() >= 3 && "command".starts_with(given) {
            let line = rest[index + 1..].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            if line.trim() == "-" && input.has(Taint::FETCHED) {
                walker.risk(RuleId::FetchedCode, "powershell -Command -", span);
            }
            walker.enter(|walker| super::powershell::read(walker, &line));
            return Taint::PRINTED;
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
            return Taint::PRINTED;
        }
    }
    Taint::PRINTED
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
