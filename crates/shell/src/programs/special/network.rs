//! Downloads that land in files, uploads that carry secrets away, shells behind sockets.

use crate::guard::RuleId;
use crate::network::{is_local_host, is_local_url};
use crate::programs::Args;
use crate::reading::Class;
use crate::text::{Taint, Text};
use crate::walk::{Call, Walker, base_name};

/// Options of curl whose value is sent.
const SENT: &str = "-d|--data|--data-raw|--data-binary|--data-urlencode|--data-ascii|--json|-F|--form|--form-string|-T|--upload-file|--url-query";

pub(crate) fn curl(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut addresses: Vec<&Text> = args.operands.clone();
    addresses.extend(args.values("--url"));
    let is_local = !addresses.is_empty() && addresses.iter().all(|address| is_local_url(&address.text));
    for address in &addresses {
        if let Some(path) = address.text.strip_prefix("file://") {
            walker.read_path(&Text::known(path.trim_start_matches("localhost")), call.span);
        }
    }
    let mut taint = addresses.iter().fold(Taint::NONE, |taint, address| taint.with(address.taint));
    for value in args.values("--data-urlencode") {
        if let Some((_, file)) = value.text.split_once('@') {
            taint = taint.with(walker.secrecy(&walker.resolve(&Text::known(file)).0));
        }
    }
    for value in args.values(SENT) {
        taint = taint.with(value.taint).with(sent_file(walker, call, value, args.has("-T|--upload-file")));
    }
    // A token in a header is ordinary, but not if it was read for another place.
    let address = addresses.first().map_or("", |address| address.text.as_str());
    if !address.is_empty() && !address.contains('$') && !is_home_of_tokens(address) {
        for value in args.values("-H|--header|-u|--user|-b|--cookie|-A|--user-agent|-e|--referer") {
            taint = taint.with(value.taint);
        }
    }
    let names =
        args.values(SENT).into_iter().chain(args.values("-H|--header")).chain(addresses.iter().copied());
    if names.into_iter().any(|word| carries_foreign_token(&word.text, address)) {
        taint = taint.with(Taint::SECRET);
    }
    let sends = !args.values(SENT).is_empty();
    let outgoing =
        args.values(SENT).into_iter().chain(args.values("-H|--header|-b|--cookie|-A|--user-agent"));
    for word in outgoing.chain(addresses.iter().copied()) {
        walker.send_files_in(word);
    }
    leak(walker, call, taint, is_local, address);
    walker.check_sent(sends, is_local, call.span);
    if args.has("--unix-socket")
        && args.values("--unix-socket").iter().any(|socket| socket.text.contains("docker.sock"))
    {
        walker.risk(RuleId::ContainerHostAccess, "docker.sock", call.span);
    }
    let is_configured = configured(walker, call, args);
    let mut written: Vec<Text> = args.values("-o|--output").into_iter().cloned().collect();
    if args.has("-O|--remote-name|-J|--remote-name-all") {
        written.extend(addresses.iter().map(|address| Text::known(address_name(&address.text))));
        for file in &written {
            walker.write_path(file, call.span);
        }
    }
    let carries = if is_local { Taint::PRINTED } else { Taint::FETCHED };
    remember(walker, &written, carries);
    let writes = written.iter().any(|file| file.text != "-" && file.text != "/dev/null")
        || args.values("-w|--write-out").iter().any(|format| format.text.contains("%output{"));
    let method =
        args.values("-X|--request").first().map_or("", |method| method.text.as_str()).to_ascii_uppercase();
    if method == "DELETE" && (!is_local || addresses.iter().any(|address| names_all(&address.text))) {
        walker.risk(
            RuleId::RemoteDelete,
            addresses.first().map_or("", |address| address.text.as_str()),
            call.span,
        );
    }
    match is_configured {
        false => Some(Class::Unknown),
        true if !is_local && addresses.iter().any(|address| carries_output(address)) => Some(Class::Unknown),
        true if sends_in_headers(args, is_local) => Some(Class::Unknown),
        true if writes => Some(Class::Writes),
        true => None,
    }
}

/// Returns whether a header is read from a file (`-H @file`), or carries to another host what a program of this line
/// printed. A printed token that authorizes the request is how it is meant.
fn sends_in_headers(args: &Args<'_>, is_local: bool) -> bool {
    let authorizes =
        |text: &str| text.get(..13).is_some_and(|name| name.eq_ignore_ascii_case("authorization"));
    args.values("-H|--header|--proxy-header").iter().any(|header| header.text.starts_with('@'))
        || !is_local
            && args
                .values("-H|--header|-A|--user-agent|-e|--referer|-b|--cookie")
                .iter()
                .any(|value| value.taint.has(Taint::PRINTED) && !authorizes(&value.text))
}

/// Returns whether an address stands for all of its kind: `/_all`, `/logs-*`.
fn names_all(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or(address).trim_end_matches('/');
    path.ends_with("/_all") || path.ends_with('*')
}

/// Returns whether an address sends what a program of this line printed: `https://host/?x=$(base64 file)`. If the host is
/// printed, too, as in a loop over a file of addresses, the address is only looked up.
fn carries_output(address: &Text) -> bool {
    let host = address.text.find("://").map_or(0, |at| at + 3);
    address.taint.has(Taint::PRINTED) && address.holes.iter().any(|(start, _)| *start > host)
}

/// `curl -K file`: the file holds more words. Returns whether all of them are known.
fn configured(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> bool {
    let mut is_known = true;
    for file in args.values("-K|--config") {
        let file = if file.text == "-" { Text::known("/dev/stdin") } else { file.clone() };
        let Some(content) = walker.script_content(&file, call.span).filter(Text::is_known) else {
            is_known = false;
            continue;
        };
        let mut words = vec![Text::known(call.name.clone())];
        for line in content.text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            words.extend(configured_words(line).map(Text::known));
        }
        walker.through(&call.name, |walker| walker.invoke(words, call.span));
    }
    is_known
}

/// The words of a line of a config file: `output = "x"`, `-o x`, `remote-name`.
fn configured_words(line: &str) -> impl Iterator<Item = String> {
    let end = line.find(|c: char| c.is_whitespace() || matches!(c, '=' | ':')).unwrap_or(line.len());
    let (name, value) = line.split_at(end);
    let value = value.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '=' | ':'));
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or(quoted),
        None => value.split_whitespace().next().unwrap_or(""),
    };
    let option = if name.starts_with('-') { name.to_owned() } else { format!("--{name}") };
    let option = Some(option).filter(|_| !name.is_empty());
    option.into_iter().chain(Some(value.to_owned()).filter(|value| !value.is_empty()))
}

/// Hosts to which tools such as `gh auth token` give the tokens themselves.
fn is_home_of_tokens(address: &str) -> bool {
    [
        "github",
        "ghcr.io",
        "gitlab",
        "bitbucket",
        ".svc",
        "kubernetes",
        "vault",
        "amazonaws",
        "googleapis",
        "azure",
    ]
    .iter()
    .any(|home| address.contains(home))
}

/// Variables that only one service needs, and a word of its address.
const TOKENS: [(&str, &str); 7] = [
    ("AWS_SECRET_ACCESS_KEY", "amazonaws"),
    ("AWS_SESSION_TOKEN", "amazonaws"),
    ("GITHUB_TOKEN", "g"),
    ("GH_TOKEN", "g"),
    ("NPM_TOKEN", "npm"),
    ("ANTHROPIC_API_KEY", "anthropic"),
    ("OPENAI_API_KEY", "openai"),
];

/// Returns whether a word of the line sends a token to a place that is not its own.
fn carries_foreign_token(word: &str, address: &str) -> bool {
    let host =
        address.split_once("://").map_or(address, |(_, rest)| rest).split(['/', '?']).next().unwrap_or("");
    !host.is_empty()
        && !host.contains('$')
        && TOKENS.iter().any(|(name, home)| {
            (word.contains(&format!("${name}")) || word.contains(&format!("${{{name}}}")))
                && !host.contains(home)
        })
}

/// `ssh-keygen -f key` writes a key; with `-l`, `-F` and their kin it only reads one.
pub(crate) fn ssh_keygen(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let looks = args.has("-l|-F|-B|-L") || args.has("-y") && !args.has("-N|-t|-p");
    for file in args.values("-f") {
        if looks {
            walker.read_path(file, call.span);
        } else {
            walker.write_path(file, call.span);
        }
    }
    looks.then_some(Class::ReadOnly)
}

/// Returns the files that `@file`, `name=@file` and `-T file` send.
fn sent_file(walker: &mut Walker<'_>, call: &Call, value: &Text, is_upload: bool) -> Taint {
    let at = value
        .text
        .find('@')
        .filter(|at| *at == 0 || value.text[..*at].ends_with('='))
        .map(|at| at + 1)
        .or_else(|| value.text.find("=<").map(|at| at + 2));
    let file = match at {
        Some(at) => value.slice(at, value.text.len()),
        None if is_upload => value.clone(),
        None => return Taint::NONE,
    };
    let name = file.text.split(';').next().unwrap_or("").to_owned();
    if matches!(name.as_str(), "-" | "." | "/dev/stdin") {
        return walker.stdin().map_or(Taint::NONE, |input| input.taint);
    }
    let file = Text { text: name, ..file };
    let path = walker.resolve(&file).0;
    walker.read_path(&file, call.span);
    walker.sent.push(path.clone());
    walker.taint_of_file(&path).with(file.taint)
}

pub(super) fn leak(walker: &mut Walker<'_>, call: &Call, taint: Taint, is_local: bool, address: &str) {
    if is_local {
        return;
    }
    if taint.has(Taint::SECRET) {
        walker.risk(RuleId::SecretExfiltration, address, call.span);
    } else if taint.has(Taint::WORKSPACE) {
        walker.risk(RuleId::UploadWorkspace, address, call.span);
    }
}

fn address_name(address: &str) -> String {
    base_name(address.split(['?', '#']).next().unwrap_or(address)).to_owned()
}

fn remember(walker: &mut Walker<'_>, files: &[Text], taint: Taint) {
    for file in files {
        let (path, _) = walker.resolve(file);
        walker.remember(&path, Text::unknown(format!("$(<{})", file.text), taint));
    }
}

pub(crate) fn wget(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let is_local = !args.operands.is_empty() && args.words().all(is_local_url);
    let mut taint = args.operands.iter().fold(Taint::NONE, |taint, address| taint.with(address.taint));
    for value in args.values("--post-data|--body-data|--header") {
        taint = taint.with(value.taint);
    }
    for file in args.values("--post-file|--body-file") {
        if matches!(file.text.as_str(), "-" | "/dev/stdin") {
            taint = taint.with(walker.stdin().map_or(Taint::NONE, |input| input.taint));
            continue;
        }
        let path = walker.resolve(file).0;
        walker.read_path(file, call.span);
        taint = taint.with(walker.taint_of_file(&path)).with(file.taint);
        walker.sent.push(path);
    }
    if args.words().any(|word| carries_foreign_token(word, args.word(0))) {
        taint = taint.with(Taint::SECRET);
    }
    for word in
        args.values("--post-data|--body-data|--header").into_iter().chain(args.operands.iter().copied())
    {
        walker.send_files_in(word);
    }
    leak(walker, call, taint, is_local, args.word(0));
    walker.check_sent(false, is_local, call.span);
    let output = args.values(if call.name == "aria2c" { "-o|--out" } else { "-O|--output-document" });
    let prints = output.iter().any(|file| matches!(file.text.as_str(), "-" | "/dev/stdout"))
        || call.rest().iter().any(|word| word.text.ends_with("O-"));
    if prints || args.has("--spider") {
        let sends = !is_local && args.operands.iter().any(|address| carries_output(address));
        return Some(if sends { Class::Unknown } else { Class::ReadOnly });
    }
    let mut written: Vec<Text> = output.into_iter().cloned().collect();
    if written.is_empty() {
        let names = if call.name == "aria2c" { "-d|--dir" } else { "-P|--directory-prefix" };
        let folder = args.values(names).first().map(|folder| folder.text.clone());
        written = args
            .words()
            .map(|address| {
                let name = address_name(address);
                Text::known(folder.as_ref().map_or(name.clone(), |folder| format!("{folder}/{name}")))
            })
            .collect();
        for file in &written {
            walker.write_path(file, call.span);
        }
    }
    remember(walker, &written, if is_local { Taint::PRINTED } else { Taint::FETCHED });
    None
}

pub(crate) fn httpie(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let is_local = args.words().any(|word| is_local_url(word) && word.contains(['l', '1', ':']));
    let mut taint = walker.stdin().map_or(Taint::NONE, |input| input.taint);
    for operand in &args.operands {
        taint = taint.with(operand.taint);
        if let Some((_, file)) = operand.text.split_once('@') {
            let file = Text::known(file);
            let path = walker.resolve(&file).0;
            taint = taint.with(walker.secrecy(&path));
        }
    }
    for operand in &args.operands {
        walker.send_files_in(operand);
    }
    leak(walker, call, taint, is_local, args.word(0));
    walker.check_sent(true, is_local, call.span);
    let sends = !is_local && args.operands.iter().any(|operand| carries_output(operand));
    sends.then_some(Class::Unknown)
}

/// Anything on standard input leaves the machine.
pub(crate) fn sender(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut taint = walker.stdin().map_or(Taint::NONE, |input| input.taint);
    for operand in &args.operands {
        let path = walker.resolve(operand).0;
        taint = taint.with(operand.taint).with(walker.secrecy(&path));
    }
    leak(walker, call, taint, false, args.word(0));
    walker.check_sent(true, false, call.span);
    None
}

/// `openssl s_client` is a telephone, the other verbs are not.
pub(crate) fn openssl(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "s_client" {
        walker.reading.network = true;
        let taint = walker.stdin().map_or(Taint::NONE, |input| input.taint);
        let is_local = args.words().skip(1).any(is_local_host);
        leak(walker, call, taint, is_local, "openssl s_client");
    }
    None
}

/// A host name can carry data too: `dig $(secret).example.org`.
pub(crate) fn sender_words(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let taint = args.operands.iter().fold(Taint::NONE, |taint, operand| taint.with(operand.taint));
    for operand in &args.operands {
        walker.send_files_in(operand);
    }
    leak(walker, call, taint, false, args.word(0));
    walker.check_sent(false, false, call.span);
    None
}

/// `socat` joins anything to anything, files and programs among them.
pub(crate) fn socat(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    for end in &args.operands {
        let (kind, rest) = end.text.split_once(':').unwrap_or((&end.text, ""));
        let is = |kinds: &[&str]| kinds.iter().any(|it| kind.eq_ignore_ascii_case(it));
        if is(&["open", "create", "creat", "file", "gopen"]) {
            let file = Text::known(rest.split(',').next().unwrap_or(rest));
            // `socat -u FILE:x TCP:host:port` sends the file.
            let taint = walker.secrecy(&walker.resolve(&file).0);
            leak(
                walker,
                call,
                taint,
                call.rest().iter().any(|word| word.text.contains("localhost")),
                args.word(1),
            );
            walker.write_path(&file, call.span);
        }
    }
    netcat(walker, call, args)
}

pub(crate) fn netcat(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    let runs = call.name != "socat" && args.has("-e|-c|--exec|--sh-exec")
        || words.iter().any(|word| {
            let upper = word.text.to_ascii_uppercase();
            upper.starts_with("EXEC:") || upper.starts_with("SYSTEM:")
        });
    if runs {
        walker.risk(RuleId::ReverseShell, call.name.clone(), call.span);
        return Some(Class::Unknown);
    }
    let is_local = args.words().any(is_local_host)
        || words.iter().any(|word| word.text.contains("localhost") || word.text.contains("127.0.0.1"));
    let mut taint = walker.stdin().map_or(Taint::NONE, |input| input.taint);
    if walker.stdin().is_some_and(|input| crate::secrets::names_secret_variable(&input.text)) {
        taint = taint.with(Taint::SECRET);
    }
    // Every host that connects is given a secret; other input is served to the network of the machine.
    leak(walker, call, taint.only(Taint::SECRET), is_local, args.word(0));
    let is_local = is_local || args.has("-l");
    leak(walker, call, taint.without(Taint::SECRET), is_local, args.word(0));
    walker.check_sent(true, is_local, call.span);
    None
}
