//! Filters that can also write or run.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use super::sed_script::{self, Effect};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker};

pub(crate) fn date(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-s|--set") {
        walker.risk(RuleId::SystemSettings, "date --set", call.span);
        return Some(Class::Writes);
    }
    None
}

pub(crate) fn ripgrep(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    let program = words.iter().enumerate().find_map(|(index, word)| {
        if word.text == "--pre" {
            words.get(index + 1).cloned()
        } else {
            word.text.strip_prefix("--pre=").map(Text::known)
        }
    });
    if let Some(program) = program {
        walker.through("rg", |walker| walker.invoke(vec![program], call.span));
    }
    None
}

pub(crate) fn ast_grep(_: &mut Walker<'_>, _: &Call, args: &Args<'_>) -> Option<Class> {
    args.has("-U|--update-all|-i|--interactive").then_some(Class::Unknown)
}

/// `sed`: in place, and the commands `w` and `e` of its language.
pub(crate) fn sed(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let suffixes: Vec<&str> = call.rest().iter().filter_map(|word| in_place_suffix(&word.text)).collect();
    let in_place = !suffixes.is_empty();
    let expressions = args.values("-e|--expression");
    let given = !expressions.is_empty() || args.has("-f|--file");
    let mut scripts: Vec<Text> = expressions.into_iter().cloned().collect();
    let mut files: Vec<&Text> = args.operands.clone();
    if !given && !files.is_empty() {
        // `sed -i '' 's/a/b/' f` of BSD has an empty suffix in front.
        if files[0].text.is_empty() && files.len() > 1 {
            files.remove(0);
        }
        scripts.push(files.remove(0).clone());
    }
    let mut class = Class::ReadOnly;
    for file in args.values("-f|--file") {
        match walker.script_content(file, call.span) {
            Some(script) if script.is_known() => scripts.push(script),
            _ => class = Class::Unknown,
        }
    }
    let reads_stdin = files.is_empty();
    for script in &scripts {
        // The result of arithmetic is a number: `sed -n "$((n - 2)),${n}p"`.
        let text = script.text.replace("$((…))", "1");
        class = class.max(sed_effects(walker, call, &text, reads_stdin));
    }
    for file in files {
        if in_place {
            walker.write_path(file, call.span);
            for suffix in suffixes.iter().filter(|suffix| !suffix.is_empty()) {
                walker.write_path(&backup_of(file, suffix), call.span);
            }
            class = class.max(Class::Writes);
        } else {
            walker.read_path(file, call.span);
        }
    }
    if in_place { Some(class.max(Class::Writes)) } else { Some(class) }
}

/// Returns the suffix of sed's backups if a word has the option `-i`, alone or behind bundled letters: `-nEi.bak`.
fn in_place_suffix(word: &str) -> Option<&str> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, suffix) = long.split_once('=').unwrap_or((long, ""));
        return (!name.is_empty() && "in-place".starts_with(name)).then_some(suffix);
    }
    let letters = word.strip_prefix('-')?;
    // The rest of the word is the value of these.
    let at = letters.find(['i', 'e', 'f', 'l'])?;
    letters[at..].strip_prefix('i')
}

/// Returns where sed keeps the old content: a suffix may name a folder, and `*` stands for the name of the file.
fn backup_of(file: &Text, suffix: &str) -> Text {
    let name_at = file.text.rfind('/').map_or(0, |slash| slash + 1);
    let name = file.slice(name_at, file.text.len());
    let mut backup = if suffix.contains('/') { Text::default() } else { file.slice(0, name_at) };
    if !suffix.contains('*') {
        backup.push(&name);
    }
    for (index, part) in suffix.split('*').enumerate() {
        if index > 0 {
            backup.push(&name);
        }
        backup.push_str(part);
    }
    backup
}

/// Follows input whose lines a program runs as commands.
fn run_input(walker: &mut Walker<'_>, call: &Call, reads_stdin: bool) {
    match walker.stdin().cloned() {
        Some(input) => {
            walker
                .through("sed", |walker| walker.text(&input.text, call.span, Origin::Text("sed".to_owned())));
        }
        None if reads_stdin => walker.runs_typed(call),
        None => {}
    }
}

fn sed_effects(walker: &mut Walker<'_>, call: &Call, script: &str, reads_stdin: bool) -> Class {
    let mut class = Class::ReadOnly;
    for effect in sed_script::effects(script) {
        class = class.max(match effect {
            Effect::Reads(file) => {
                walker.read_path(&Text::known(file), call.span);
                Class::ReadOnly
            }
            Effect::Writes(file) => {
                walker.write_path(&Text::known(file), call.span);
                Class::Writes
            }
            Effect::Runs(text) | Effect::RunsReplacement(text) => {
                walker.through("sed", |walker| walker.text(&text, call.span, Origin::Text("sed".to_owned())));
                Class::Unknown
            }
            Effect::RunsInput => {
                run_input(walker, call, reads_stdin);
                Class::Unknown
            }
            Effect::Unreadable => Class::Unknown,
        });
    }
    class
}

pub(crate) fn jq(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    // A script that the line gives a package runs later: `jq '.scripts.test = "…"' package.json`.
    let sets_script = |word: &&str| word.contains("scripts") && word.contains('=');
    if let Some(filter) = args.words().find(sets_script) {
        let given = call
            .rest()
            .windows(3)
            .filter(|words| words[0].text == "--arg")
            .map(|words| words[2].text.as_str());
        let scripts: Vec<String> =
            filter.split('"').skip(1).step_by(2).chain(given).map(str::to_owned).collect();
        for script in scripts {
            let origin = Origin::Text("package.json".to_owned());
            if walker.would_be_denied(|walker| walker.text(&script, call.span, origin.clone())) {
                walker.through(&call.name, |walker| drop(walker.text(&script, call.span, origin)));
            }
        }
    }
    let in_place = args.has("-i|--inplace|--in-place");
    // With a file of filters, every operand is an input.
    let programs = args.values("-f|--from-file");
    let shows_environment = call.name == "jq"
        && programs.iter().any(|file| {
            let filter = walker.script_content(file, call.span);
            filter.is_none_or(|filter| {
                !filter.is_known() || filter.text.contains("env") || filter.text.contains("ENV")
            })
        });
    let skipped = usize::from(programs.is_empty() || call.name != "jq");
    for files in
        call.rest().windows(3).filter(|words| matches!(words[0].text.as_str(), "--rawfile" | "--slurpfile"))
    {
        walker.read_path(&files[2], call.span);
    }
    for file in args.operands.iter().skip(skipped) {
        if in_place {
            walker.write_path(file, call.span);
        } else {
            walker.read_path(file, call.span);
        }
    }
    Some(if in_place {
        Class::Writes
    } else if shows_environment {
        Class::Unknown
    } else {
        Class::ReadOnly
    })
}

/// `sort --compress-program=PROGRAM` runs it on temporary files.
pub(crate) fn sort(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let programs: Vec<String> =
        args.values("--compress-program").into_iter().map(|program| program.text.clone()).collect();
    for program in &programs {
        walker.through("sort", |walker| walker.named_program(program, call.span, "sort"));
    }
    (!programs.is_empty()).then_some(Class::Unknown)
}

/// `json -I -f file -e code` edits the file in place.
pub(crate) fn json(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let in_place = args.has("-I|--in-place");
    for file in args.values("-f") {
        if in_place {
            walker.write_path(file, call.span);
        } else {
            walker.read_path(file, call.span);
        }
    }
    Some(if in_place { Class::Writes } else { Class::ReadOnly })
}

/// `fx file.json CODE save` writes the file.
pub(crate) fn fx(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let saves = args.words().skip(1).any(|word| word.contains("save"));
    if let Some(file) = args.operands.first().filter(|_| saves) {
        walker.write_path(file, call.span);
        return Some(Class::Writes);
    }
    None
}

/// `mlr -I … file…` edits files in place.
pub(crate) fn mlr(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if !args.has("-I") {
        return None;
    }
    for file in args.operands.iter().filter(|word| word.text.contains(['.', '/'])) {
        walker.write_path(file, call.span);
    }
    Some(Class::Writes)
}

/// `!` of `dc` hands the rest of the line to a shell; `!<`, `!=` and `!>` compare.
pub(crate) fn dc(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let typed = walker.stdin().and_then(Text::value).unwrap_or("").to_owned();
    let given = call.rest().iter().map(|word| word.text.clone()).chain([typed]);
    let lines: Vec<String> =
        given.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    for line in lines.iter().take(256) {
        if let Some((_, shell)) = line.split_once('!').filter(|(_, rest)| !rest.starts_with(['<', '=', '>']))
        {
            walker.through("dc", |walker| walker.text(shell, call.span, Origin::Text("dc".to_owned())));
        }
    }
    None
}

/// `less +!cmd file`: less treats the text behind the plus as typed.
pub(crate) fn pager(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let typed =
        call.rest().iter().filter_map(|word| word.text.trim_start_matches('+').strip_prefix(['!', '#']));
    let typed: Vec<String> = typed.map(str::to_owned).collect();
    for text in typed.into_iter().filter(|text| !text.is_empty()) {
        walker.through(&call.name, |walker| walker.text(&text, call.span, Origin::Text(call.name.clone())));
    }
    None
}

/// `man -P cmd`, `man -Hcmd`: programs that show the page.
pub(crate) fn man(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let programs = args.values("-P|--pager|-H|--html").into_iter().filter_map(Text::value);
    for program in programs.map(str::to_owned).collect::<Vec<_>>() {
        walker.through("man", |walker| walker.text(&program, call.span, Origin::Text("man".to_owned())));
    }
    None
}

pub(crate) fn gpg(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--export-secret-keys|--export-secret-subkeys") {
        walker.risk(RuleId::SecretRead, "gpg --export-secret-keys", call.span);
    }
    if args.has("--delete-keys|--delete-secret-keys|--delete-secret-and-public-key|--delete-key") {
        walker.risk(RuleId::Accounts, "gpg --delete-keys", call.span);
        return Some(Class::Destructive);
    }
    args.has("--import|--gen-key|--full-generate-key|--quick-generate-key|--edit-key")
        .then_some(Class::Writes)
}
