//! Searches: their folders, their results, and the commands they run on the results.

use super::xargs::substitute;
use super::{Call, Walker};
use crate::programs::Args;
use crate::secrets;
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows `-exec`, `-execdir`, `-ok` of find and `-x`, `-X` of fd.
    pub(super) fn find_commands(&mut self, call: &Call) {
        let is_fd = call.name != "find";
        let mut found = None;
        let rest = call.rest();
        let mut at = 0;
        while let Some(arg) = rest.get(at) {
            let runs = match arg.text.as_str() {
                "-exec" | "-execdir" | "-ok" | "-okdir" => !is_fd,
                _ => is_fd && runs_of_fd(&arg.text),
            };
            at += 1;
            if !runs {
                continue;
            }
            // `fd --exec=rm -rf /`: the program is glued on.
            let glued = if is_fd && !arg.text.starts_with("--") {
                let at = letter_of_fd(&arg.text).map_or(arg.text.len(), |at| at + 1);
                let at = at + usize::from(arg.text[at..].starts_with('='));
                (at < arg.text.len()).then(|| arg.slice(at, arg.text.len()))
            } else {
                arg.text.split_once('=').map(|(option, _)| arg.slice(option.len() + 1, arg.text.len()))
            };
            let length = rest[at..]
                .iter()
                .position(|arg| arg.text == ";" || arg.text == "+")
                .unwrap_or(rest.len() - at);
            let inner: Vec<Text> = glued.into_iter().chain(rest[at..at + length].iter().cloned()).collect();
            // WHY so late: most searches run nothing, and governing files among the results take many questions.
            let results = found.get_or_insert_with(|| self.results(call)).clone();
            self.via.push(call.name.clone());
            for below in results {
                let mut argv: Vec<Text> = inner.iter().map(|arg| substitute(arg, "{}", &below)).collect();
                if is_fd && !inner.iter().any(|arg| arg.text.contains("{}")) {
                    argv.push(below);
                }
                self.subshell(|walker| walker.invoke(argv, call.span));
            }
            self.via.pop();
            at += length;
        }
    }
}

/// Returns whether all words behind this one of fd are a command.
pub(super) fn runs_of_fd(word: &str) -> bool {
    matches!(word.split('=').next(), Some("--exec" | "--exec-batch")) || letter_of_fd(word).is_some()
}

/// Returns where `x` or `X` stands among bundled letters: `-Hx`, `-HIX`. The value of an option ends the letters: `-exml`.
fn letter_of_fd(word: &str) -> Option<usize> {
    const WITH_VALUE: [char; 8] = ['d', 'E', 'e', 'S', 'o', 'c', 'j', 'C'];
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let mut types = "";
    for (at, letter) in letters.char_indices() {
        match letter {
            'x' | 'X' => return Some(at + 1),
            // `-tx` is a type of one letter; fd refuses more, but who knows in which version.
            't' => {
                types = letters[at + 1..].get(1..).unwrap_or("");
                break;
            }
            _ if WITH_VALUE.contains(&letter) => return None,
            _ => {}
        }
    }
    let is_word = ["ile", "ir", "irectory", "ymlink", "ocket", "ipe", "xecutable", "mpty"].contains(&types);
    let at = types.find(['x', 'X']).filter(|_| !is_word)?;
    Some(word.len() - types.len() + at)
}

impl Walker<'_> {
    /// Returns the paths a search may find: patterns, and a governing file if it may be among them.
    pub(super) fn results(&self, call: &Call) -> Vec<Text> {
        let mut results = results(call);
        results.extend(self.governing_results(call));
        results
    }
}

/// The paths a search may find.
fn results(call: &Call) -> Vec<Text> {
    let rest = call.rest();
    if call.name == "find" {
        let roots = find_roots(rest);
        let mut results: Vec<Text> = roots.iter().map(|root| found(rest, root)).collect();
        // A folder that is precious wherever it lies is meant by its name.
        let named = rest.windows(2).filter(|pair| matches!(pair[0].text.as_str(), "-name" | "-iname"));
        for pair in
            named.filter(|pair| matches!(pair[1].text.as_str(), ".git" | ".hg" | ".jj" | ".ssh" | ".gnupg"))
        {
            results.extend(roots.iter().map(|root| {
                let mut path = root.clone();
                path.push_str("/");
                path.push_str(&pair[1].text);
                path
            }));
        }
        return results;
    }
    let end = rest.iter().position(|arg| runs_of_fd(&arg.text)).unwrap_or(rest.len());
    let args =
        Args::parse(&rest[..end], "-e -E -t -d -g --extension --exclude --type --max-depth --glob -S --size");
    let narrowed = args.has("-e|--extension|-g|--glob|-S|--size") || !matches!(args.word(0), "" | "." | ".*");
    let mut roots: Vec<Text> = args.operands.iter().skip(1).map(|root| (*root).clone()).collect();
    if roots.is_empty() {
        roots.push(Text::known("."));
    }
    roots.iter().map(|root| if narrowed { below(root) } else { found(&[], root) }).collect()
}

/// The words of a search in files that prints only their names, or nothing.
pub(super) fn lists_files(call: &Call) -> Option<Args<'_>> {
    const VALUES: &str = "-e -f -m -A -B -C -g -t -T -d -D -j --regexp --file --max-count --include --exclude --exclude-dir --glob --type --context --color --max-depth --iglob --sort";
    let args = Args::parse(call.rest(), VALUES);
    let lists = args.has("-l|-L|--files-with-matches|--files-without-match|--files");
    (lists && !args.has("--help")).then_some(args)
}

impl Walker<'_> {
    /// The files a search in files may name: those it is given, or any below the folders it is given.
    pub(super) fn files_with_matches(&self, call: &Call) -> Text {
        let Some(args) = lists_files(call) else { return Text::default() };
        let skip = usize::from(!args.has("-e|-f|--regexp|--file|--files"));
        let recursive = matches!(call.name.as_str(), "rg" | "ag" | "ack") || args.has("-r|-R|--recursive");
        let here = [Text::known(".")];
        let mut given: Vec<&Text> = args.operands.iter().skip(skip).copied().collect();
        if given.is_empty() && recursive {
            given.extend(&here);
        }
        let mut text = Text { taint: Taint::PRINTED, ..Text::default() };
        for path in given {
            let name = path.text.rsplit('/').next().unwrap_or("");
            let is_file = path.glob
                || name.trim_start_matches('.').contains('.')
                    && !self.place.files.is_dir(&self.resolve(path).0);
            text.push(&if recursive && !is_file { below(path) } else { path.clone() });
            text.push_str("\n");
        }
        text
    }
}

/// The folders a `find` starts in.
pub(super) fn find_roots(rest: &[Text]) -> Vec<Text> {
    let roots: Vec<Text> = rest
        .iter()
        .skip_while(|arg| matches!(arg.text.as_str(), "-H" | "-L" | "-P") || arg.text.starts_with("-O"))
        .take_while(|arg| !arg.text.starts_with('-') && !matches!(arg.text.as_str(), "(" | "!" | ")"))
        .cloned()
        .collect();
    if roots.is_empty() { vec![Text::known(".")] } else { roots }
}

/// Any path below `root`.
pub(super) fn below(root: &Text) -> Text {
    let mut below = root.clone();
    below.push_str(if root.text.ends_with('/') { "**" } else { "/**" });
    below.glob = true;
    below
}

/// Returns the results of a search with these words in `root`: some files, or everything.
pub(super) fn found(words: &[Text], root: &Text) -> Text {
    let mut found = below(root);
    if words.iter().all(|word| !word.text.starts_with('-'))
        || words.iter().any(|word| word.text.starts_with('-')) && !is_narrowed(words)
    {
        found.push_str("/*");
    }
    if names_secrets(words) {
        found.taint = found.taint.with(Taint::SECRET);
    }
    found
}

/// Returns whether a search is for keys and other secrets: `-name .env`, `-iname '*.pem'`.
fn names_secrets(words: &[Text]) -> bool {
    words.windows(2).any(|pair| {
        let name = pair[1].text.as_str();
        matches!(pair[0].text.as_str(), "-name" | "-iname")
            && (secrets::is_environment_file(name)
                || name.ends_with(".env")
                || name.ends_with(".pem")
                || name.ends_with(".key")
                || [
                    "id_rsa",
                    "id_ed25519",
                    "id_ecdsa",
                    "id_dsa",
                    "*id_rsa",
                    "credentials",
                    ".netrc",
                    ".git-credentials",
                    ".pgpass",
                ]
                .iter()
                .any(|key| name.starts_with(key)))
    })
}

/// Returns whether a search has a condition, so that not everything is meant.
pub(crate) fn is_narrowed(words: &[Text]) -> bool {
    const CONDITIONS: [&str; 16] = [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-regex",
        "-iregex",
        "-empty",
        "-mtime",
        "-mmin",
        "-atime",
        "-ctime",
        "-newer",
        "-size",
        "-user",
        "-perm",
    ];
    words.iter().enumerate().any(|(index, word)| {
        let before =
            index.checked_sub(1).and_then(|before| words.get(before)).map_or("", |word| word.text.as_str());
        let links = before == "-type" && word.text == "l";
        // All but something is nearly everything.
        links || CONDITIONS.contains(&word.text.as_str()) && !matches!(before, "!" | "-not")
    })
}
