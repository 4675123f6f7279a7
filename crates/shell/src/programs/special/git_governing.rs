//! git: forms that take away or replace the files that govern the agent.
//!
//! A host that reads its settings again when they change runs the next call without a hook. So what matters is
//! not what a form does to work, but whether it would move one of these files: an untracked registration is
//! gone after `git stash -u`, and a changed one after `git stash`.

use crate::guard::RuleId;
use crate::guard::{GOVERNING, Reader};
use crate::path::{is_within, join};
use crate::place::GitShare;
use crate::programs::Args;
use crate::text::Text;
use crate::walk::{Call, Walker, glob_matches};

/// Which of the files that a form reaches it takes away or replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// What git does not know, and what differs from the last commit: `stash -u`.
    UntrackedAndChanged,
    /// The same, and what git ignores: `stash -a`.
    IgnoredToo,
    /// What git does not know: `clean`.
    Untracked,
    /// What differs from the last commit: `stash`, `reset --hard`.
    Changed,
    /// What git knows: `switch --orphan`, `sparse-checkout set`.
    Tracked,
    /// Whatever is there: `checkout <commit> -- <paths>`.
    Everything,
}

impl Takes {
    /// Returns whether a file would go. Of a file that cannot be asked about only the forms are believed
    /// capable that are rarely meant for anything else.
    fn takes(self, share: Option<GitShare>) -> bool {
        let Some(GitShare { tracked, changed, untracked }) = share else {
            return !matches!(self, Self::Changed | Self::Tracked);
        };
        match self {
            Self::UntrackedAndChanged | Self::IgnoredToo => untracked || changed,
            Self::Untracked => untracked,
            Self::Changed => changed,
            Self::Tracked => tracked,
            Self::Everything => tracked || untracked,
        }
    }
}

/// Which files a form reaches.
pub(super) enum Reach<'a> {
    /// All of the checkout.
    All,
    /// What these pathspecs match; none at all match all.
    Specs(Vec<&'a Text>),
    /// All but what lies in these folders, or at the top.
    Outside(Vec<&'a Text>),
}

/// Records a risk if the form would take a file that governs.
pub(super) fn check(walker: &mut Walker<'_>, call: &Call, takes: Takes, reach: &Reach<'_>) {
    if !walker.is_local() {
        return;
    }
    let Some(cwd) = walker.cwd().map(str::to_owned) else { return };
    let folders = governed_folders(walker, &cwd);
    // A folder that the command names may hold registrations of its own.
    let named = match reach {
        Reach::Specs(specs) => specs.iter().filter_map(|spec| join(&spec.text, Some(&cwd), "/~")).collect(),
        Reach::All | Reach::Outside(_) => Vec::new(),
    };
    for folder in folders.iter().chain(&named) {
        for known in GOVERNING.iter().filter(|known| known.of != Reader::Editor) {
            // Our own state hides itself from git, but not from what takes ignored files, too.
            if known.path == ".ai/tmp" && takes != Takes::IgnoredToo {
                continue;
            }
            let file = format!("{}/{}", folder.trim_end_matches('/'), known.path);
            let is_reached = match reach {
                Reach::All => true,
                Reach::Specs(specs) => is_matched(specs, &cwd, &file),
                Reach::Outside(kept) => {
                    known.path.contains('/')
                        && !kept.iter().any(|kept| {
                            join(&kept.text, Some(&cwd), "/~").is_some_and(|kept| is_within(&file, &kept))
                        })
                }
            };
            let is_there = folders.contains(folder) || walker.place.files.exists(&file);
            if is_reached && is_there && takes.takes(walker.place.files.git_share(&file)) {
                walker.risk(RuleId::GitAgentSettings, file, call.span);
                return;
            }
        }
    }
}

/// Returns the folders whose files a git command in `cwd` can reach: from there up to the top of the checkout,
/// and the workspace.
fn governed_folders(walker: &Walker<'_>, cwd: &str) -> Vec<String> {
    /// Checkouts are not searched for higher up than this.
    const MAX_LEVELS: usize = 24;
    let mut folders = Vec::new();
    let mut folder = cwd;
    for _ in 0..MAX_LEVELS {
        folders.push(folder.to_owned());
        let is_top =
            folder == walker.reading.workspace || walker.place.files.is_dir(&format!("{folder}/.git"));
        match folder.rsplit_once('/') {
            Some((parent, _)) if !is_top && !parent.is_empty() => folder = parent,
            _ => break,
        }
    }
    let workspace = &walker.reading.workspace;
    if !folders.contains(workspace) && is_within(workspace, folder) {
        folders.push(workspace.clone());
    }
    folders
}

/// Returns whether pathspecs match a file, or a file in it if it is a folder.
fn is_matched(specs: &[&Text], cwd: &str, file: &str) -> bool {
    let specs: Vec<Spec> = specs.iter().map(|spec| Spec::parse(&spec.text)).collect();
    let matches = |excludes: bool| specs.iter().any(|spec| spec.excludes == excludes && spec.fits(cwd, file));
    let names_something = specs.iter().any(|spec| !spec.excludes);
    (matches(false) || !names_something) && !matches(true)
}

/// A pathspec without its magic words.
struct Spec<'a> {
    excludes: bool,
    pattern: &'a str,
}

impl<'a> Spec<'a> {
    fn parse(text: &'a str) -> Self {
        if let Some((magic, pattern)) = text.strip_prefix(":(").and_then(|rest| rest.split_once(')')) {
            let excludes = magic.split(',').any(|word| word == "exclude");
            return Self { excludes, pattern };
        }
        let Some(rest) = text.strip_prefix(':') else { return Self { excludes: false, pattern: text } };
        let pattern = rest.trim_start_matches(['!', '^', '/', ':']);
        Self { excludes: rest[..rest.len() - pattern.len()].contains(['!', '^']), pattern }
    }

    /// WHY by its end, too: `:/x` and `:(top)x` are meant from the top of the checkout, wherever that is.
    fn fits(&self, cwd: &str, file: &str) -> bool {
        let Some(path) = join(self.pattern, Some(cwd), "/~") else { return !self.excludes };
        if is_within(file, &path) || (!self.excludes && is_within(&path, file)) {
            return true;
        }
        let plain = self.pattern.trim_matches('/');
        if plain.is_empty() || plain == "." {
            return true;
        }
        if !plain.contains(['*', '?', '[']) {
            return !self.excludes && file.ends_with(&format!("/{plain}"));
        }
        // Unlike a shell's, a `*` of git's crosses folders.
        let inner = format!("{file}/x.json");
        // A pattern that matches a folder means all that lies in it.
        let parts = file.match_indices('/').skip(1).map(|(at, _)| &file[..at]).chain([file, &inner]);
        let patterns = [path.clone(), format!("*/{plain}")];
        parts.into_iter().any(|part| patterns.iter().any(|pattern| glob_matches(pattern, part)))
    }
}

/// `git stash`: plain, with what git does not know, or of some paths.
pub(super) fn stash(walker: &mut Walker<'_>, call: &Call, rest: &[Text], args: &Args<'_>) {
    let sub = match args.word(0) {
        sub @ ("apply" | "branch" | "clear" | "create" | "drop" | "export" | "import" | "list" | "pop"
        | "push" | "save" | "show" | "store") => sub,
        _ => "",
    };
    if !matches!(sub, "" | "push" | "save") {
        return;
    }
    // git takes any beginning of an option that no other option has.
    let options = || rest.iter().map(|word| word.text.as_str()).take_while(|word| *word != "--");
    let takes = if args.has("-a") || options().any(|word| word.starts_with("--a")) {
        Takes::IgnoredToo
    } else if args.has("-u") || options().any(|word| word.starts_with("--i")) || has_added(walker) {
        Takes::UntrackedAndChanged
    } else {
        Takes::Changed
    };
    let reach = match sub {
        "save" => Reach::All,
        _ if args.has("--pathspec-from-file") => Reach::All,
        _ => Reach::Specs(args.operands.iter().skip(usize::from(sub == "push")).copied().collect()),
    };
    check(walker, call, takes, &reach);
}

/// Returns whether the line has handed files to git already, which takes them for its own from then on.
fn has_added(walker: &Walker<'_>) -> bool {
    let takes_much = |word: &str| matches!(word, "-A" | "--all" | "*" | ":/") || word.starts_with('.');
    let mut commands = walker.reading.commands.iter().filter(|command| command.program == "git");
    commands.any(|command| {
        let mut words = command.argv.iter().map(|arg| arg.text.as_str());
        words.any(|word| matches!(word, "add" | "stage")) && words.any(takes_much)
    })
}
