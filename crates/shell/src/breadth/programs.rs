//! The programs that search whole trees, and the meaning of their options.

use crate::reading::{Arg, Outlet, Reading, Simple};

use super::Extent;
use super::look::{Look, Words, describes_itself};

/// Reads the command at `index` as a search of whole trees. Returns `None` for most commands.
pub(super) fn look(reading: &Reading, index: usize) -> Option<Look<'_>> {
    let command = reading.commands.get(index)?;
    match command.program.as_str() {
        "grep" | "egrep" | "fgrep" | "zgrep" | "rgrep" => grep(command),
        // Without a folder it searches its input.
        "rg" | "ag" | "ack" => pattern_search(command, is_fed(reading, index)),
        "find" => find(command),
        "fd" | "fdfind" => fd(command),
        "ls" | "dir" | "gci" | "get-childitem" => list(command),
        "tree" => tree(command),
        _ => None,
    }
}

fn is_fed(reading: &Reading, index: usize) -> bool {
    reading.commands.iter().any(|other| other.outlet == Outlet::Command(index))
        || reading.commands.get(index).is_some_and(|command| command.via.iter().any(|via| via == "xargs"))
}

/// `grep -r` does not read ignore files.
fn grep(command: &Simple) -> Option<Look<'_>> {
    const VALUES: &str = "-e -f -m -A -B -C -d -D --regexp --file --max-count --include --exclude --exclude-dir \
        --color --after-context --before-context --context --label";
    let words = Words::of(command);
    let args = words.args(VALUES);
    let recursive = command.program == "rgrep" || args.has("-r|-R|--recursive|--dereference-recursive");
    if !recursive || describes_itself(&args, "-V") {
        return None;
    }
    let given = args.has("-e|-f|--regexp|--file");
    let roots = words.operands(&args, usize::from(!given));
    Some(Look {
        narrowed: args.has("--include|--exclude|--exclude-dir"),
        few: args.has("-m|--max-count|-l|-L|--files-with-matches|--files-without-match|-q|--quiet|--silent"),
        ..Look::everything(roots)
    })
}

/// `rg` and its kin leave ignored files out, unless an option includes them.
fn pattern_search(command: &Simple, is_fed: bool) -> Option<Look<'_>> {
    const VALUES: &str = "-e -f -g -t -T -m -d -A -B -C -j -M -r -E -G --regexp --file --glob --iglob --type --type-not \
        --max-count --max-depth --maxdepth --depth --sort --sortr --color --threads --replace --encoding --context \
        --after-context --before-context --max-columns --ignore --ignore-dir --ignore-file --pre";
    let words = Words::of(command);
    let args = words.args(VALUES);
    let lists = command.argv.iter().any(|word| word.text == "--files");
    let given = lists || args.has("-e|-f|--regexp|--file");
    let roots = words.operands(&args, usize::from(!given));
    // `ack -h` leaves file names out; `ag -h` is no option at all.
    let describes = describes_itself(&args, if command.program == "rg" { "-h|-V" } else { "-V" });
    if describes || (roots.is_empty() && is_fed) || (!given && args.operands.is_empty()) {
        return None;
    }
    let all = lists || (!given && matches_all(args.word(0)));
    let unrestricted = if command.program == "rg" {
        args.has("-u|--unrestricted|--no-ignore|--no-ignore-vcs")
    } else {
        args.has("-u|--unrestricted|-U|--skip-vcs-ignores|--noenv")
    };
    let everything = all || unrestricted;
    Some(Look {
        extent: if everything { Extent::Everything } else { Extent::Project },
        depth: args.has("-d|--max-depth|--maxdepth|--depth"),
        narrowed: args.has("-g|--glob|--iglob|-t|--type|-T|--type-not|-G|--ignore|--ignore-dir"),
        few: !lists && args.has("-m|--max-count|-l|--files-with-matches|--files-without-match|-c|--count|--count-matches|-q|--quiet"),
        prints_all_it_sees: lists,
        ..Look::everything(roots)
    })
}

fn find(command: &Simple) -> Option<Look<'_>> {
    const TESTS: [&str; 22] = [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-iwholename",
        "-regex",
        "-iregex",
        "-lname",
        "-empty",
        "-newer",
        "-mtime",
        "-mmin",
        "-atime",
        "-amin",
        "-ctime",
        "-cmin",
        "-size",
        "-user",
        "-group",
        "-perm",
        "-samefile",
    ];
    let is = |word: &Arg, names: &[&str]| names.contains(&word.text.as_str());
    let words = command.argv.get(1..).unwrap_or_default();
    let options = words.iter().take_while(|word| is(word, &["-H", "-L", "-P"])).count();
    let n_roots = words[options..]
        .iter()
        .take_while(|word| !word.text.starts_with('-') && !is(word, &["(", "!", ")"]))
        .count();
    let (roots, tests) = words[options..].split_at(n_roots);
    // `-name --help` looks for a file of that name.
    let describes = |at: usize| {
        is(&tests[at], &["-help", "--help", "-version", "--version"])
            && at.checked_sub(1).is_none_or(|before| !is(&tests[before], &TESTS))
    };
    if (0..tests.len()).any(describes) {
        return None;
    }
    let narrows =
        |at: usize| is(&tests[at], &TESTS) && tests.get(at + 1).is_none_or(|value| !matches_all(&value.text));
    let narrowed = (0..tests.len()).any(narrows);
    // The command that it runs on each file prints, or nothing does.
    let runs = tests.iter().position(|word| is(word, &["-exec", "-execdir", "-ok", "-okdir"]));
    let silent = tests.iter().any(|word| is(word, &["-delete", "-quit"]))
        || runs.is_some_and(|at| {
            let program = tests.get(at + 1).map_or("", |word| word.text.as_str());
            !matches!(
                program,
                "cat" | "grep" | "egrep" | "fgrep" | "head" | "ls" | "rg" | "echo" | "stat" | "file"
            )
        });
    Some(Look {
        depth: tests.iter().any(|word| is(word, &["-maxdepth"])),
        narrowed: narrowed || tests.iter().any(|word| is(word, &["-prune"])),
        few: silent,
        prints_all_it_sees: !narrowed && runs.is_none(),
        ..Look::everything(roots.iter().collect())
    })
}

/// `fd` finds names; without one it lists them all.
fn fd(command: &Simple) -> Option<Look<'_>> {
    const VALUES: &str = "-e -E -t -d -S -o -j -c --extension --exclude --type --max-depth --min-depth --exact-depth --size \
        --owner --changed-within --changed-before --max-results --search-path --base-directory --threads --color";
    let words = Words::of(command);
    let args = words.args(VALUES);
    if describes_itself(&args, "-h|-V") {
        return None;
    }
    let all = matches_all(args.word(0));
    let conditions =
        args.has("-e|--extension|-E|--exclude|-S|--size|-o|--owner|--changed-within|--changed-before");
    Some(Look {
        depth: args.has("-d|--max-depth|--exact-depth"),
        narrowed: !all || conditions,
        few: args.has("-1|--max-results|-q|--quiet|-x|-X|--exec|--exec-batch"),
        prints_all_it_sees: all && !conditions,
        ..Look::everything(words.operands(&args, 1))
    })
}

/// `ls -R`, and `Get-ChildItem -Recurse`.
fn list(command: &Simple) -> Option<Look<'_>> {
    let words = Words::of(command);
    let args = words.args("-I -w -T --ignore --width -Filter -Include -Exclude -Depth -Path -filter -include -exclude -depth -path");
    // `ls -r` only turns the order round.
    if !args.has("-R|--recursive|-Recurse|-recurse") || describes_itself(&args, "") {
        return None;
    }
    Some(Look {
        depth: args.has("-Depth|-depth"),
        narrowed: args.has("-I|--ignore|-Filter|-filter|-Include|-include"),
        prints_all_it_sees: true,
        ..Look::everything(words.operands(&args, 0))
    })
}

fn tree(command: &Simple) -> Option<Look<'_>> {
    let words = Words::of(command);
    let args = words.args("-L -I -P -o -H -T --filelimit --charset --sort --gitfile");
    if describes_itself(&args, "") {
        return None;
    }
    Some(Look {
        depth: args.has("-L"),
        narrowed: args.has("-P|-I|--gitignore|--gitfile"),
        few: args.has("--filelimit|-o"),
        prints_all_it_sees: true,
        ..Look::everything(words.operands(&args, 0))
    })
}

/// Returns whether a pattern fits everything.
fn matches_all(pattern: &str) -> bool {
    pattern.chars().all(|character| matches!(character, '*' | '.' | '?' | '/' | '^' | '$'))
}
