//! git: commands that take away or replace governing files of the disk.
//!
//! A host that reloads its settings when they change runs the next call without a hook. So these checks ask whether a
//! command would move a governing file, not whether work is lost: `git stash -u` takes an untracked registration away,
//! and `git stash` a changed one.

use super::states;
use crate::git_state::{GitChange, GitStatus};
use crate::guard::RuleId;
use crate::guard::{GOVERNING, Reader};
use crate::path::{is_within, join};
use crate::programs::Args;
use crate::text::Text;
use crate::walk::{Call, Walker, glob_matches};

/// The files that a command takes away or replaces, among those it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Untracked files, and files that differ from the last commit: `stash -u`.
    UntrackedAndChanged,
    /// The same, and ignored files: `stash -a`.
    IgnoredToo,
    /// Untracked files: `clean`.
    Untracked,
    /// The same, and ignored files: `clean -x`.
    UntrackedAndIgnored,
    /// Files that differ from the last commit: `stash`, `reset --hard`.
    Changed,
    /// Tracked files: `switch --orphan`, `sparse-checkout set`.
    Tracked,
    /// Whatever is there: `checkout <commit> -- <paths>`.
    Everything,
}

impl Takes {
    /// Returns whether a file would go. If the state of the file is unknown, only commands that are rarely meant for
    /// anything else count.
    fn takes(self, status: Option<GitStatus>) -> bool {
        let Some(GitStatus { tracked, changed, untracked }) = status else {
            return !matches!(self, Self::Changed | Self::Tracked);
        };
        match self {
            Self::UntrackedAndChanged | Self::IgnoredToo => untracked || changed,
            Self::Untracked | Self::UntrackedAndIgnored => untracked,
            Self::Changed => changed,
            Self::Tracked => tracked,
            Self::Everything => tracked || untracked,
        }
    }
}

/// The files that a command reaches.
pub(super) enum Reach<'a> {
    /// All of the checkout.
    All,
    /// The files that these pathspecs match; no pathspec matches all.
    Specs(Vec<&'a Text>),
    /// All files but those in these folders, or at the top.
    Outside(Vec<&'a Text>),
}

impl Reach<'_> {
    /// Returns whether a command in `cwd` reaches the file at an absolute path.
    pub(super) fn includes(&self, cwd: &str, file: &str) -> bool {
        match self {
            Self::All => true,
            Self::Specs(specs) => is_matched(specs, cwd, file),
            Self::Outside(kept) => !kept
                .iter()
                .any(|kept| join(&kept.text, Some(cwd), "/~").is_some_and(|kept| is_within(file, &kept))),
        }
    }
}

/// Records a risk if the command would take a governing file away.
pub(super) fn check(walker: &mut Walker<'_>, call: &Call, takes: Takes, reach: &Reach<'_>) {
    if !walker.is_local() {
        return;
    }
    let Some(cwd) = walker.cwd().map(str::to_owned) else { return };
    let folders = governed_folders(walker, &cwd);
    // A folder that the command names may hold registrations, too.
    let named = match reach {
        Reach::Specs(specs) => specs.iter().filter_map(|spec| join(&spec.text, Some(&cwd), "/~")).collect(),
        Reach::All | Reach::Outside(_) => Vec::new(),
    };
    for folder in folders.iter().chain(&named) {
        for known in GOVERNING.iter().filter(|known| known.of != Reader::Shared) {
            // Our own state has its own ignore file, so only commands that take ignored files reach it.
            if known.path == ".ai/tmp" && takes != Takes::IgnoredToo {
                continue;
            }
            let file = format!("{}/{}", folder.trim_end_matches('/'), known.path);
            // A sparse checkout keeps the files at the top.
            let is_kept = matches!(reach, Reach::Outside(_)) && !known.path.contains('/');
            let is_reached = !is_kept && reach.includes(&cwd, &file);
            let exists = folders.contains(folder) || walker.place.files.exists(&file);
            if is_reached && exists && takes.takes(walker.place.files.git_status(&file)) {
                walker.risk(RuleId::GitAgentSettings, file, call.span);
                return;
            }
        }
    }
    check_every_depth(walker, call, takes, reach);
    states::moved_by_the_line(walker, call, reach);
}

/// Records a risk if the command would take a governing file below the folders that [`governed_folders`] returns.
fn check_every_depth(walker: &mut Walker<'_>, call: &Call, takes: Takes, reach: &Reach<'_>) {
    let changes: &[GitChange] = match takes {
        Takes::UntrackedAndChanged => &[GitChange::Changed, GitChange::Untracked],
        Takes::IgnoredToo => &[GitChange::Changed, GitChange::Ignored],
        Takes::Untracked => &[GitChange::Untracked],
        Takes::UntrackedAndIgnored => &[GitChange::Ignored],
        Takes::Changed => &[GitChange::Changed],
        Takes::Tracked | Takes::Everything => &[],
    };
    for change in changes {
        states::check(walker, call, change, reach);
    }
}

/// Returns whether a governing file exists between the current folder and the top of the checkout.
pub(super) fn is_governed(walker: &Walker<'_>) -> bool {
    let Some(cwd) = walker.cwd() else { return false };
    let governing = || GOVERNING.iter().filter(|known| known.of != Reader::Shared && known.path != ".ai/tmp");
    let folders = governed_folders(walker, cwd);
    folders
        .iter()
        .any(|folder| governing().any(|known| walker.place.files.exists(&format!("{folder}/{}", known.path))))
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

/// `git stash`: tracked changes, with untracked files, or some paths.
pub(super) fn stash(walker: &mut Walker<'_>, call: &Call, rest: &[Text], args: &Args<'_>) {
    let sub = match args.word(0) {
        sub @ ("apply" | "branch" | "clear" | "create" | "drop" | "export" | "import" | "list" | "pop"
        | "push" | "save" | "show" | "store") => sub,
        _ => "",
    };
    if matches!(sub, "apply" | "branch" | "pop") {
        return states::unstash(walker, call, args);
    }
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

/// Returns whether an earlier command of the line adds many files, which git tracks from then on.
pub(super) fn has_added(walker: &Walker<'_>) -> bool {
    let takes_much = |word: &str| matches!(word, "-A" | "--all" | "*" | ":/") || word.starts_with('.');
    let mut commands = walker.reading.commands.iter().filter(|command| command.program == "git");
    commands.any(|command| {
        let mut words = command.argv.iter().map(|arg| arg.text.as_str());
        words.any(|word| matches!(word, "add" | "stage")) && words.any(takes_much)
    })
}
