//! Computes the output of a command where it is constant, and the taint of the output elsewhere.

use super::search::{below, found, lists_files};
use super::{Call, Walker, transform};
use crate::network;
use crate::programs::{self, Args};
use crate::secrets;
use crate::syntax::decode_escapes;
use crate::text::{Taint, Text};

/// Programs whose output comes from their input, changed beyond recognition or not.
const FILTERS: [&str; 41] = [
    "cat", "head", "tail", "sort", "uniq", "grep", "egrep", "fgrep", "rg", "sed", "cut", "tee", "tr", "rev",
    "tac", "fold", "fmt", "nl", "paste", "column", "xxd", "od", "hexdump", "base64", "base32", "openssl",
    "gzip", "gunzip", "zcat", "bzip2", "xz", "zstd", "tar", "zip", "jq", "yq", "strings", "uudecode", "gpg",
    "pv", "less",
];

/// Programs whose output says something about their input or their files and does not contain them.
const SUMMARIES: [&str; 41] = [
    "wc",
    "cksum",
    "sum",
    "md5sum",
    "md5",
    "shasum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "b2sum",
    "b3sum",
    "test",
    "[",
    "true",
    "false",
    "sleep",
    "ls",
    "eza",
    "exa",
    "tree",
    "stat",
    "file",
    "du",
    "df",
    "find",
    "fd",
    "fdfind",
    "which",
    "date",
    "cp",
    "mv",
    "rm",
    "mkdir",
    "touch",
    "chmod",
    "chown",
    "ssh-keygen",
    "ssh-add",
    "kill",
];

impl Walker<'_> {
    /// Computes or describes the output of a program; records nothing.
    pub(super) fn output(&mut self, call: &Call) -> Text {
        match call.name.as_str() {
            "echo" => echo(call.rest()),
            "printf" => printf(call.rest()),
            "pwd" => self.state.cwd.clone().map_or_else(unknown, Text::known),
            "dirname" | "basename" => split_path(call),
            "realpath" | "readlink" => call
                .rest()
                .iter()
                .rfind(|arg| !arg.text.starts_with('-'))
                .map_or_else(unknown, |arg| Text { text: self.resolve(arg).0, ..arg.clone() }),
            "which" | "command" | "type" | "whereis" => installed(call),
            "mktemp" => Text::known("/tmp/tmp.XXXXXXXXXX"),
            "git" if !prints_everything(call) => self.git_output(call),
            "jq" | "yq" | "gojq" | "jaq" if makes_its_output(call) => {
                self.printed.extend(quoted_texts(call));
                unknown()
            }
            "find" | "fd" | "fdfind" => lines(self.results(call).into_iter()),
            "ls" => listed(call),
            // Enough to know later whose number it is.
            "pgrep" | "pidof" => Text::unknown(
                format!("$_pid_of_{}", call.rest().last().map_or("", |arg| arg.text.as_str())),
                Taint::PRINTED,
            ),
            "env" | "printenv" | "export" | "declare" | "set" => Text::unknown("$_output", Taint::SECRET),
            "curl" | "wget" | "http" | "https" | "aria2c" | "lynx" | "w3m" | "fetch" | "xh" => fetched(call),
            "nc" | "ncat" | "socat" | "telnet" | "ftp" | "scp" | "dig" | "nslookup" | "host" => {
                Text::unknown("$_output", Taint::FETCHED)
            }
            "gh" if call.rest().first().is_some_and(|arg| arg.text == "auth")
                && call.rest().get(1).is_some_and(|arg| arg.text == "token") =>
            {
                Text::unknown("$_output", Taint::SECRET)
            }
            "history" => Text::unknown("$_output", Taint::SECRET),
            "pbpaste" | "wl-paste" => Text::unknown("$_output", Taint::SECRET.with(Taint::PRINTED)),
            "xclip" | "xsel"
                if call
                    .rest()
                    .iter()
                    .any(|arg| matches!(arg.text.as_str(), "-o" | "-out" | "--output" | "-bo" | "-ob")) =>
            {
                Text::unknown("$_output", Taint::SECRET.with(Taint::PRINTED))
            }
            // A packed script is as unreadable as an encoded one.
            "tar" | "bsdtar" | "unzip" | "7z" if prints_members(call) => {
                Text::unknown("$_output", Taint::DECODED)
            }
            "aws" | "gsutil" | "gcloud" | "az" if prints_remote_file(call) => {
                Text::unknown("$_output", Taint::FETCHED)
            }
            "openssl" if call.rest().first().is_some_and(|arg| arg.text == "s_client") => {
                Text::unknown("$_output", Taint::FETCHED)
            }
            "docker" | "podman" if shows_environment(call) => Text::unknown("$_output", Taint::SECRET),
            _ if prints_everything(call) => Text::unknown("$_output", Taint::WORKSPACE.with(Taint::PRINTED)),
            "kubectl" | "oc" if shows_secret(call.rest()) => Text::unknown("$_output", Taint::SECRET),
            "pass" | "security" | "secret-tool" | "op" | "vault" => {
                Text::unknown("$_output", Taint::SECRET.with(Taint::PRINTED))
            }
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" if lists_files(call).is_some() => {
                self.files_with_matches(call)
            }
            name if FILTERS.contains(&name) => self.filtered(call),
            // A program without a row that is given an address prints what is there.
            name if programs::find(name).is_none()
                && call
                    .rest()
                    .iter()
                    .any(|word| word.text.starts_with("http://") || word.text.starts_with("https://")) =>
            {
                fetched(call)
            }
            _ => unknown(),
        }
    }

    /// Returns the taint that the output of any program has from its input and its files.
    ///
    /// WHY for every program: whatever is between a download and a shell, `curl … | awk 1 | sh` runs it.
    pub(super) fn passed_on(&self, call: &Call, input: Taint) -> Taint {
        if SUMMARIES.contains(&call.name.as_str()) {
            return Taint::NONE;
        }
        let names_secret = call.rest().iter().any(|word| {
            let path = word.text.split_once('=').map_or(word.text.as_str(), |(_, path)| path);
            // WHY the marks first: most words are no paths, and resolving one allocates.
            (path.contains('/') || path.contains('.'))
                && !path.contains("://")
                && secrets::is_secret(&self.resolve(&Text::known(path)).0, &self.reading.home)
        });
        let files = if names_secret { Taint::SECRET } else { Taint::NONE };
        input.only(Taint::FETCHED.with(Taint::DECODED).with(Taint::SECRET)).with(files)
    }

    /// Returns the output of a program that passes its input on.
    fn filtered(&mut self, call: &Call) -> Text {
        let values = match call.name.as_str() {
            "head" | "tail" => "-n -c",
            "cut" => "-d -f -c",
            "sort" => "-k -t",
            "sed" => "-e",
            "grep" | "egrep" | "fgrep" | "rg" => "-e -m -A -B -C -g -t",
            "openssl" => "-in -out -k -pass",
            _ => "-w",
        };
        let args = Args::parse(call.rest(), values);
        let mut input = Text::default();
        let takes_files = matches!(
            call.name.as_str(),
            "cat"
                | "head"
                | "tail"
                | "base64"
                | "tac"
                | "rev"
                | "sort"
                | "xxd"
                | "strings"
                | "less"
                | "gunzip"
                | "zcat"
                | "gzip"
                | "bzip2"
                | "xz"
                | "zstd"
                | "gpg"
                | "uudecode"
                | "base32"
        );
        let files: Vec<Text> = if takes_files {
            args.operands.iter().filter(|file| file.text != "-").map(|file| (*file).clone()).collect()
        } else {
            Vec::new()
        };
        for file in &files {
            let (path, _) = self.resolve(file);
            let taint = self.secrecy(&path).with(file.taint).with(Taint::PRINTED);
            match self.state.content(&path) {
                Some(content) => input.push(content),
                None => input.push(&Text::unknown(format!("$(<{path})"), taint)),
            }
        }
        if !takes_files {
            for file in &args.operands {
                let (path, _) = self.resolve(file);
                if path.starts_with('/') {
                    let packs = matches!(call.name.as_str(), "tar" | "zip");
                    let taint = if packs { self.taint_of_tree(&path) } else { self.secrecy(&path) };
                    input.taint = input.taint.with(taint);
                }
            }
        }
        if files.is_empty() {
            let piped = self.state.stdin.clone();
            input.push(&piped.unwrap_or_else(|| typed_or_read(call, &args, takes_files)));
        }
        transform::apply(&call.name, call.rest(), &args, input)
    }

    fn git_output(&self, call: &Call) -> Text {
        let words: Vec<&str> = call.rest().iter().map(|arg| arg.text.as_str()).collect();
        if words.contains(&"--show-toplevel") {
            return Text::known(self.reading.workspace.clone());
        }
        let root = Text::known(self.reading.workspace.clone());
        if words.first() == Some(&"ls-files")
            && words.iter().skip(1).all(|word| matches!(*word, "-z" | "--cached" | "-c"))
        {
            return found(&[], &root);
        }
        if words.first() == Some(&"ls-files") || words.contains(&"--name-only") {
            return below(&root);
        }
        unknown()
    }
}

/// Returns the output of a filter without a pipe in front: typed text, unless an operand is a file.
fn typed_or_read(call: &Call, args: &Args<'_>, takes_files: bool) -> Text {
    // The first operands of these are patterns or programs.
    let n_own = match call.name.as_str() {
        "tee" => usize::MAX,
        "tr" => 2,
        "grep" | "egrep" | "fgrep" | "rg" | "sed" | "jq" | "yq" => 1,
        _ => 0,
    };
    let is_typed = takes_files || args.operands.len() <= n_own;
    let taint = if is_typed { Taint::TYPED } else { Taint::NONE };
    Text::unknown("$_output", Taint::PRINTED.with(taint))
}

/// Returns whether the output comes from another machine: `aws s3 cp s3://b/x -`, `gsutil cat gs://b/x`.
fn prints_remote_file(call: &Call) -> bool {
    let words = || call.rest().iter().map(|arg| arg.text.as_str());
    let is_remote = words().any(|word| word.starts_with("s3://") || word.starts_with("gs://"));
    is_remote
        && (words().any(|word| word == "cat")
            || words().any(|word| word == "cp") && words().any(|word| word == "-"))
}

/// Returns whether the words of kubectl print the values of secrets.
pub(crate) fn shows_secret(words: &[Text]) -> bool {
    let mut operands = words.iter().map(|arg| arg.text.as_str()).filter(|word| !word.starts_with('-'));
    operands.any(|word| word == "get")
        && operands.any(|word| word.split(['/', ',']).any(|kind| matches!(kind, "secret" | "secrets")))
        && words.iter().any(|arg| {
            let value =
                arg.text.trim_start_matches("-o").trim_start_matches("--output").trim_start_matches('=');
            ["yaml", "json", "jsonpath", "go-template", "template", "custom-columns"]
                .iter()
                .any(|format| value == *format || value.starts_with(&format!("{format}=")))
        })
}

fn unknown() -> Text {
    Text::unknown("$_output", Taint::PRINTED)
}

fn lines(paths: impl Iterator<Item = Text>) -> Text {
    let mut text = Text::default();
    for path in paths {
        text.push(&path);
        text.push_str("\n");
    }
    text
}

/// Returns the output of a download, tainted by its origin unless it comes from this machine.
fn fetched(call: &Call) -> Text {
    let local = call
        .rest()
        .iter()
        .filter(|arg| {
            !arg.text.starts_with('-')
                && (arg.text.contains("://") || arg.text.contains(':') || arg.text.starts_with("localhost"))
        })
        .all(|arg| network::is_local_url(&arg.text));
    let has_address = call.rest().iter().any(|arg| !arg.text.starts_with('-'));
    if local
        && has_address
        && call.rest().iter().any(|arg| network::is_local_url(&arg.text) && !arg.text.starts_with('-'))
    {
        return unknown();
    }
    Text::unknown("$_output", Taint::FETCHED)
}

fn echo(words: &[Text]) -> Text {
    let mut output = Text::default();
    let mut rest = words;
    let mut newline = true;
    let mut escapes = false;
    while let Some(first) = rest.first() {
        match first.text.as_str() {
            "-n" => newline = false,
            "-e" => escapes = true,
            "-E" => escapes = false,
            "-ne" | "-en" => {
                newline = false;
                escapes = true;
            }
            _ => break,
        }
        rest = &rest[1..];
    }
    for (index, word) in rest.iter().enumerate() {
        if index > 0 {
            output.push_str(" ");
        }
        match word.value() {
            Some(text) if escapes => output.push(&Text::known(decode_escapes(text))),
            _ => output.push(word),
        }
    }
    output.glob = false;
    if newline {
        output.push_str("\n");
    }
    output
}

/// `printf` with `%s`, `%b`, `%d`, `%c` and escapes; the format is reused while words are left.
pub(super) fn printf(words: &[Text]) -> Text {
    let words = if words.first().is_some_and(|word| word.text == "--") { &words[1..] } else { words };
    let Some((format, arguments)) = words.split_first() else { return Text::default() };
    let Some(format) = format.value() else { return Text::unknown("$_output", format.taint) };
    if format == "-v" {
        return Text::default();
    }
    let mut output = Text::default();
    let mut left = arguments.iter();
    for round in 0..64 {
        let before = left.len();
        if round > 0 && before == 0 {
            break;
        }
        let mut literal = String::new();
        let mut characters = format.chars().peekable();
        while let Some(character) = characters.next() {
            if character != '%' {
                literal.push(character);
                continue;
            }
            while characters.peek().is_some_and(|next| next.is_ascii_digit() || "-+ #.0*".contains(*next)) {
                characters.next();
            }
            output.push(&Text::known(decode_escapes(&std::mem::take(&mut literal))));
            match characters.next() {
                Some('%') => output.push_str("%"),
                Some('b') => {
                    if let Some(word) = left.next() {
                        match word.value() {
                            Some(value) => output.push(&Text::known(decode_escapes(value))),
                            None => output.push(word),
                        }
                    }
                }
                Some(_) => {
                    if let Some(word) = left.next() {
                        output.push(word);
                    }
                }
                None => {}
            }
        }
        output.push(&Text::known(decode_escapes(&literal)));
        if left.len() == before {
            break;
        }
    }
    output.glob = false;
    output
}

fn split_path(call: &Call) -> Text {
    let Some(arg) = call.rest().iter().find(|arg| !arg.text.starts_with('-')) else { return unknown() };
    let Some(value) = arg.value() else {
        return Text::unknown(
            format!("$({} {})", call.name, arg.text).replace(['$', '(', ')'], "_"),
            Taint::PRINTED,
        );
    };
    let value = value.trim_end_matches('/');
    Text::known(match (call.name.as_str(), value.rsplit_once('/')) {
        ("dirname", Some(("", _))) => "/",
        ("dirname", Some((folder, _))) => folder,
        ("dirname", None) => ".",
        (_, Some((_, name))) => name,
        (_, None) => value,
    })
}

/// `ls` prints names in folders; piped into `xargs rm` they are paths of the current folder.
fn listed(call: &Call) -> Text {
    let folders: Vec<&Text> = call.rest().iter().filter(|arg| !arg.text.starts_with('-')).collect();
    if folders.is_empty() {
        return Text { glob: true, ..Text::known("*") };
    }
    lines(folders.into_iter().map(|folder| {
        if folder.glob {
            folder.clone()
        } else {
            Text { text: format!("{}/*", folder.text.trim_end_matches('/')), glob: true, ..folder.clone() }
        }
    }))
}

/// Where a program would be found.
fn installed(call: &Call) -> Text {
    let name = call.rest().iter().rfind(|arg| !arg.text.starts_with('-')).and_then(Text::value);
    name.map_or_else(unknown, |name| {
        Text::known(if name.contains('/') { name.to_owned() } else { format!("/usr/local/bin/{name}") })
    })
}

/// `tar -xO`, `unzip -p`, `7z x -so`: members of an archive are printed.
fn prints_members(call: &Call) -> bool {
    call.rest().iter().enumerate().any(|(at, word)| {
        let text = word.text.as_str();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        match call.name.as_str() {
            "unzip" => letters.is_some_and(|letters| letters.contains(['p', 'c'])),
            "7z" => text == "-so",
            _ => {
                text == "--to-stdout"
                    || letters.is_some_and(|letters| letters.contains('O'))
                    || at == 0 && !text.contains(['.', '/']) && text.contains('x') && text.contains('O')
            }
        }
    })
}

/// Returns whether a call prints an image, a database or the whole history: `docker save x`, `pg_dump x`, `git bundle create - --all`.
fn prints_everything(call: &Call) -> bool {
    let words = || call.rest().iter().map(|word| word.text.as_str());
    let has = |wanted: &str| words().any(|word| word == wanted);
    match call.name.as_str() {
        "docker" | "podman" => has("save") || has("export"),
        "git" => {
            has("bundle") && has("create") && has("-")
                || has("fast-export")
                || has("archive") && !has("--list")
        }
        "pg_dump" | "pg_dumpall" | "mysqldump" | "mariadb-dump" | "mongodump" | "mongoexport" => true,
        "sqlite3" => words().any(|word| word.starts_with(".dump")),
        _ => false,
    }
}

/// Returns whether a call prints the variables of a container.
fn shows_environment(call: &Call) -> bool {
    let words = || call.rest().iter().map(|word| word.text.as_str());
    words().any(|word| word == "inspect") && words().any(|word| word.contains("Env"))
}

/// `jq -n FILTER`: the output is made of the filter alone.
fn makes_its_output(call: &Call) -> bool {
    call.rest().iter().any(|word| {
        word.text == "--null-input"
            || word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('n')
    })
}

/// The texts in quotes of a filter of jq.
fn quoted_texts(call: &Call) -> Vec<String> {
    let filters = call.rest().iter().filter(|word| word.text.contains('"'));
    filters.flat_map(|word| word.text.split('"').skip(1).step_by(2).map(str::to_owned)).take(16).collect()
}
