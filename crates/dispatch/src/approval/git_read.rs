//! Looks into a git repository that may be approved: by subcommand, by option, and by the content of files that they show.
//!
//! INVARIANT: what shows content of files needs a proof about the files, as a read does: those that the command names, or
//! all that the repository tracks. A secret that an earlier commit removed is not found: to look for it takes longer than
//! a hook may.

use std::path::{Path, PathBuf};

use ::intent::trace::GitIndex;
use event::AbsPath;
use host::user_rules::CallFacts;
use modules::Context;
use shell::Simple;

use super::call_paths::{inside, is_secret};
use super::name_pattern;
use super::option_list::{Sorted, sorted};

/// A subcommand, with its options.
struct Look {
    names: &'static [&'static str],
    options: &'static [&'static str],
    content: Content,
}

/// When a subcommand shows content of files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Never,
    /// With an option that asks for it.
    IfAsked,
    /// Without an option that asks for a summary.
    UnlessSummed,
    Always,
}

const HISTORY: &str = "n= i E F P # g c --oneline --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --all --branches? --tags? --remotes? --graph --no-graph --decorate? --no-decorate --pretty? --format= --date= --relative-date --reverse --merges --no-merges --min-parents= --max-parents= --first-parent --follow --full-history --abbrev-commit --no-abbrev-commit --topo-order --date-order --author-date-order --left-right --left-only --right-only --cherry-pick --cherry-mark --cherry --simplify-by-decoration --no-walk? --boundary --not --parents --children --ancestry-path? --mailmap --no-mailmap --source --walk-reflogs --reflog --count --objects --encoding= --expand-tabs? --no-expand-tabs --merge --no-notes --timestamp --show-pulls --no-standard-notes --log-size";

const CHANGES: &str = "p u s U= w b a z R M? C? B? D q l= S= G= W m r t 0 1 2 3 --patch --no-patch --unified= --stat? --numstat --shortstat --dirstat? --summary --compact-summary --name-only --name-status --raw --color? --no-color --color-moved? --color-words? --word-diff? --word-diff-regex= --cached --staged --merge-base --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines --ignore-matching-lines= --diff-filter= --find-renames? --find-copies? --find-copies-harder --no-renames --minimal --patience --histogram --diff-algorithm= --indent-heuristic --no-indent-heuristic --function-context --inter-hunk-context= --pickaxe-all --pickaxe-regex --find-object= --relative? --no-relative --text --binary --full-index --abbrev? --no-abbrev --no-prefix --default-prefix --src-prefix= --dst-prefix= --line-prefix= --exit-code --quiet --check --no-ext-diff --no-textconv --stat-width= --stat-name-width= --stat-count= --patch-with-stat --patch-with-raw --cc --no-diff-merges --diff-merges= --combined-all-paths --full-diff --ita-invisible-in-index --no-commit-id --root --no-color-moved --break-rewrites? --irreversible-delete --rename-empty --no-rename-empty --ws-error-highlight= --theirs --ours --base";

const LOOKS: &[Look] = &[
    Look {
        names: &["log", "reflog", "rev-list"],
        options: &[HISTORY, CHANGES, "L="],
        content: Content::IfAsked,
    },
    Look { names: &["diff", "show"], options: &[HISTORY, CHANGES], content: Content::UnlessSummed },
    Look { names: &["diff-tree"], options: &[CHANGES], content: Content::IfAsked },
    Look { names: &["stash list"], options: &[HISTORY, CHANGES], content: Content::IfAsked },
    Look {
        names: &["stash show"],
        options: &[
            "p s w b U= --patch --stat? --numstat --shortstat --name-only --name-status --color? --no-color",
        ],
        content: Content::IfAsked,
    },
    Look {
        names: &["shortlog"],
        options: &[HISTORY, "s n e c --summary --numbered --email --group= --committer"],
        content: Content::Never,
    },
    Look {
        names: &["blame"],
        options: &[
            "L= b c C? M? e f l n p s t w --root --since= --first-parent --date= --porcelain --line-porcelain --show-name --show-number --show-email --abbrev= --color-lines --color-by-age --encoding=",
        ],
        content: Content::Always,
    },
    Look {
        names: &["grep"],
        options: &[
            "a i I w v E G F P e= W p n c l L o z q h H A= B= C= m= # --text --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp --fixed-strings --perl-regexp --max-depth= --cached --and --or --not --all-match --threads= --max-count= --full-name --line-number --column --count --name-only --files-with-matches --files-without-match --null --only-matching --color? --no-color --break --heading --show-function --function-context --after-context= --before-context= --context= --quiet --recursive --no-recursive",
        ],
        content: Content::Always,
    },
    Look { names: &["cat-file"], options: &["t s e p"], content: Content::Always },
    Look {
        names: &["status"],
        options: &[
            "s b z u? --short --branch --porcelain? --long --show-stash --untracked-files? --ignored? --ignore-submodules? --no-renames --renames --find-renames? --ahead-behind --no-ahead-behind --column? --no-column --null",
        ],
        content: Content::Never,
    },
    Look {
        names: &["branch"],
        options: &[
            "a r v l i q --list --all --remotes --verbose --show-current --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --color? --no-color --column? --no-column --abbrev? --no-abbrev --ignore-case --omit-empty",
        ],
        content: Content::Never,
    },
    Look {
        names: &["tag"],
        options: &[
            "l n? i --list --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --color? --column? --no-column --ignore-case --omit-empty",
        ],
        content: Content::Never,
    },
    Look {
        names: &["rev-parse"],
        options: &[
            "q --abbrev-ref? --short? --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --show-superproject-working-tree --show-object-format? --revs-only --not --since= --until= --path-format=",
        ],
        content: Content::Never,
    },
    Look {
        names: &["ls-files"],
        options: &[
            "c d m o i s t u v z k --cached --deleted --modified --others --ignored --stage --unmerged --directory --no-empty-directory --exclude-standard --error-unmatch --full-name --abbrev? --deduplicate --eol --format=",
        ],
        content: Content::Never,
    },
    Look {
        names: &["ls-tree"],
        options: &[
            "r d t l z --name-only --name-status --object-only --long --full-name --full-tree --abbrev? --format=",
        ],
        content: Content::Never,
    },
    Look {
        names: &["describe"],
        options: &[
            "--all --tags --always --dirty? --broken? --long --abbrev= --match= --exclude= --contains --exact-match --first-parent --candidates=",
        ],
        content: Content::Never,
    },
    Look {
        names: &["for-each-ref"],
        options: &[
            "--format= --sort= --count= --contains? --no-contains? --merged? --no-merged? --points-at= --ignore-case --omit-empty --exclude=",
        ],
        content: Content::Never,
    },
    Look {
        names: &["show-ref"],
        options: &[
            "s d q --heads --branches --tags --head --hash? --verify --quiet --abbrev? --dereference --exists",
        ],
        content: Content::Never,
    },
    Look {
        names: &["merge-base"],
        options: &["a --all --octopus --independent --is-ancestor --fork-point"],
        content: Content::Never,
    },
    Look {
        names: &["name-rev"],
        options: &["--tags --all --name-only --always --no-undefined --refs= --exclude="],
        content: Content::Never,
    },
    Look { names: &["cherry"], options: &["v --verbose --abbrev="], content: Content::Never },
    Look { names: &["symbolic-ref"], options: &["q --quiet --short"], content: Content::Never },
    Look { names: &["count-objects"], options: &["v H --verbose --human-readable"], content: Content::Never },
    Look {
        names: &["check-ignore"],
        options: &["v q n z --verbose --quiet --non-matching"],
        content: Content::Never,
    },
];

/// Options in front of the subcommand that change only how git prints.
const FRONT: [&str; 3] = ["--no-pager", "-P", "--no-optional-locks"];

/// Options that make a history show content.
const PATCHES: [&str; 24] = [
    "p",
    "u",
    "U",
    "c",
    "m",
    "L",
    "W",
    "a",
    "--patch",
    "--unified",
    "--cc",
    "--color-words",
    "--word-diff",
    "--word-diff-regex",
    "--binary",
    "--text",
    "--check",
    "--function-context",
    "--patch-with-stat",
    "--patch-with-raw",
    "--diff-merges",
    "--inter-hunk-context",
    "--color-moved",
    "--full-index",
];

/// Options that make a comparison show only names and numbers.
const SUMS: [&str; 12] = [
    "s",
    "q",
    "--no-patch",
    "--quiet",
    "--stat",
    "--numstat",
    "--shortstat",
    "--dirstat",
    "--compact-summary",
    "--name-only",
    "--name-status",
    "--summary",
];

/// Adds the files that a command of git shows. Returns `None` if it is not proven harmless.
pub(super) fn add(context: &Context<'_>, command: &Simple, facts: &mut CallFacts) -> Option<()> {
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    if words == ["--version"] || words == ["version"] {
        return Some(());
    }
    let n_front = words.iter().take_while(|word| FRONT.contains(word)).count();
    let (name, mut words) = words[n_front..].split_first()?;
    let mut name = (*name).to_owned();
    if name == "stash" {
        let (second, rest) = words.split_first()?;
        name = format!("{name} {second}");
        words = rest;
    }
    if name == "config" {
        return names_own_setting(words).then_some(());
    }
    let look = LOOKS.iter().find(|look| look.names.contains(&name.as_str()))?;
    let sorted = sorted(&look.options.join(" "), words)?;
    // A format that checks signatures starts another program.
    let is_signed = |value: &str| value.contains("%G") || value.contains("signature");
    // The third parent of a stash has files that git does not track.
    let is_stash = |operand: &&str| operand.contains("stash");
    if sorted.values.iter().any(|(_, value)| is_signed(value)) || sorted.operands.iter().any(is_stash) {
        return None;
    }
    // The second word would be its new value.
    if name == "symbolic-ref" && sorted.operands.len() != 1 {
        return None;
    }
    let has = |known: &[&str]| sorted.options.iter().any(|option| known.contains(&option.as_str()));
    let shows_content = match look.content {
        Content::Never => false,
        Content::IfAsked => has(&PATCHES),
        // The content of an object that is a file is shown whatever the options.
        Content::UnlessSummed => has(&PATCHES) || !has(&SUMS) || sorted.operands.iter().any(may_be_file),
        Content::Always => true,
    };
    if !shows_content {
        return Some(());
    }
    let shown = Shown { context, folder: AbsPath::new(command.cwd.as_deref()?).ok()? };
    shown.add(&name, &sorted, facts)
}

/// Returns whether `git config` reads one setting that every commit shows, or none of value: others may hold a token.
fn names_own_setting(words: &[&str]) -> bool {
    const SHOWN: [&str; 4] = ["user.name", "user.email", "init.defaultBranch", "core.autocrlf"];
    matches!(words, ["--get" | "get", name] | [name] if SHOWN.contains(name))
}

/// Returns whether a revision may be the content of a file: `HEAD:a`, a hash.
fn may_be_file(operand: &&str) -> bool {
    operand.contains(':') || operand.len() >= 4 && operand.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns whether a letter can begin the name of a file of the index, or the number of its stage.
fn is_letter_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '_')
}

/// The repository around a folder, as a command shows it.
struct Shown<'c> {
    context: &'c Context<'c>,
    folder: AbsPath,
}

impl Shown<'_> {
    fn add(&self, name: &str, sorted: &Sorted<'_>, facts: &mut CallFacts) -> Option<()> {
        let repository = self.repository()?;
        let mut operands: Vec<(usize, &str)> = sorted.operands.iter().copied().enumerate().collect();
        let is_given = |option: &str| sorted.options.iter().any(|given| given == option);
        if name == "grep" && !is_given("e") && !operands.is_empty() {
            operands.remove(0);
        }
        let (mut n_paths, mut n_objects, mut n_whole) = (0, 0, 0);
        for (index, operand) in operands {
            // In front of `--` is no path, whatever its name.
            let is_path = match sorted.n_in_front {
                Some(n) => index >= n,
                None => self.folder.join(operand).as_path().symlink_metadata().is_ok(),
            };
            // `:!a`, `:/` and `:(top)` mean other files than they name; `:a` and `:0:a` are files of the index.
            if operand.strip_prefix(':').is_some_and(|rest| !rest.starts_with(is_letter_of_name)) {
                return None;
            }
            if is_path {
                self.add_path(&repository, operand, facts)?;
                n_paths += 1;
            } else if let Some((_, path)) = operand.split_once(':').filter(|(_, path)| !path.is_empty()) {
                // `HEAD:src/a.rs` is relative to the repository, `HEAD:./a.rs` to the folder.
                let from = if path.starts_with("./") || path.starts_with("../") {
                    &self.folder
                } else {
                    &repository.root
                };
                self.add_named(&repository, from, path, facts)?;
                n_objects += 1;
            } else if sorted.n_in_front.is_none_or(|n| index < n) {
                n_whole += 1;
            }
        }
        // A revision shows every file in it, with paths only these; a file of a revision narrows no other one.
        let is_narrowed = n_paths > 0 && name != "cat-file" && !is_given("--full-diff");
        let has_only_objects = n_objects > 0 && n_whole == 0 && n_paths == 0;
        if is_narrowed || has_only_objects { Some(()) } else { self.add_all(&repository, facts) }
    }

    fn add_path(&self, repository: &Repository, path: &str, facts: &mut CallFacts) -> Option<()> {
        if path.contains(['*', '?', '[', '\\']) {
            // Only endings, of which it is known that no secret has them.
            return name_pattern::extension(self.context, path)
                .filter(|_| !path.contains(".."))
                .and_then(|_| self.add_all(repository, facts));
        }
        if path.starts_with(':') {
            return None;
        }
        self.add_named(repository, &self.folder, path, facts)
    }

    fn add_named(
        &self,
        repository: &Repository,
        from: &AbsPath,
        path: &str,
        facts: &mut CallFacts,
    ) -> Option<()> {
        let real = inside(self.context, from, path)?;
        if is_secret(self.context, &real) {
            return None;
        }
        let below = real.as_path().strip_prefix(repository.root.as_path()).ok()?;
        // A folder today or in a revision: all that is tracked below it.
        if real.as_path().is_dir() || !real.as_path().exists() {
            self.has_no_secret(repository, below).then_some(())?;
            facts.folders.push(real.to_string());
        }
        facts.reads.push(real.to_string());
        Some(())
    }

    /// Adds all files of the repository.
    fn add_all(&self, repository: &Repository, facts: &mut CallFacts) -> Option<()> {
        self.has_no_secret(repository, Path::new("")).then_some(())?;
        facts.reads.push(repository.root.to_string());
        facts.folders.push(repository.root.to_string());
        Some(())
    }

    fn has_no_secret(&self, repository: &Repository, below: &Path) -> bool {
        repository.index.files().filter(|file| Path::new(file).starts_with(below)).all(|file| {
            let is_late = self.context.deadline.has_passed(std::time::Instant::now());
            !is_late && !is_secret(self.context, &repository.root.join(file))
        })
    }

    /// Returns the repository of the folder, which must be the workspace or lie in it.
    fn repository(&self) -> Option<Repository> {
        let workspace = self.context.workspace.root();
        let folders = self.folder.as_path().ancestors();
        let root = folders
            .take_while(|folder| folder.starts_with(workspace.as_path()))
            .find(|folder| folder.join(".git").symlink_metadata().is_ok())?;
        let git: PathBuf = store::git_dir(&root.join(".git"))?;
        let index = GitIndex::whole_in(&git.join("index"))?;
        Some(Repository { root: AbsPath::new(root).ok()?, index })
    }
}

/// A repository, with the files that it tracks.
struct Repository {
    root: AbsPath,
    index: GitIndex,
}
