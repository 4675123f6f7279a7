//! Reflogs that git appends to, shortens and replaces.

use super::*;

#[test]
fn commits_of_a_time_without_a_server_are_told_by_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join(".git/logs")).unwrap();
    fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let journal = dir.path().join(".git/logs/HEAD");
    let now = store::now().as_millis() / 1000;
    let line =
        |hash: char, at: u64| format!("0 {} A <a@b.c> {at} +0100\tcommit: x\n", hash.to_string().repeat(40));
    fs::write(&journal, line('a', now)).unwrap();
    let mut commits = ReflogReader::of(dir.path(), StartAt::Now).unwrap();
    assert_eq!(commits.catch_up(None), [], "commits before the first server are not new");
    let (_, known) = commits.read_so_far();
    let more = line('a', now) + &line('b', now) + &line('c', now - 2 * CATCH_UP.as_secs());
    fs::write(&journal, more).unwrap();
    let mut commits = ReflogReader::of(dir.path(), StartAt::Now).unwrap();
    let told = commits.catch_up(Some(known));
    let [Commit { kind: OccurrenceKind::Commit { commit, .. }, at }] = &told[..] else { panic!("{told:?}") };
    assert!(commit.starts_with('b'), "{commit}");
    assert_eq!(at.unwrap().as_millis(), now * 1000, "the time of the commit, not of its detection");
    assert_eq!(commits.read_new().commits, [], "and only once");
    for unknown in [u64::MAX, known - 3] {
        let mut shorter = ReflogReader::of(dir.path(), StartAt::Now).unwrap();
        assert_eq!(shorter.catch_up(Some(unknown)), []);
    }
}

#[test]
fn the_ways_a_commit_comes_about_are_told_apart() {
    for (action, kind, files) in [
        ("commit: add x", Some(CommitKind::Commit), false),
        ("commit (initial): begin", Some(CommitKind::Commit), false),
        ("commit (amend): add x", Some(CommitKind::Amend), false),
        ("commit (merge): Merge branch 'a'", Some(CommitKind::Merge), false),
        ("merge a: Merge made by the 'ort' strategy.", Some(CommitKind::Merge), true),
        ("merge a: Fast-forward", None, true),
        ("pull: Fast-forward", None, true),
        ("rebase (start): checkout main", None, true),
        ("rebase (pick): add x", None, true),
        ("rebase (finish): returning to refs/heads/a", Some(CommitKind::Rebase), true),
        ("rebase -i (finish): returning to refs/heads/a", Some(CommitKind::Rebase), true),
        ("cherry-pick: add x", Some(CommitKind::Commit), true),
        ("checkout: moving from main to a", None, true),
        ("reset: moving to HEAD~1", None, true),
    ] {
        assert_eq!((kind_of(action), writes_files(action)), (kind, files), "{action}");
    }
}

const NONE: [usize; 0] = [];

fn repository() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join(".git/logs")).unwrap();
    fs::create_dir_all(dir.path().join("deep/er")).unwrap();
    let journal = dir.path().join(".git/logs/HEAD");
    (dir, journal)
}

fn line(n: usize) -> String {
    format!("{n:040} {:040} A <a@example.com> {n} +0000\tcommit: number {n}\n", n + 1)
}

fn hashes(moves: &HeadMoves) -> Vec<usize> {
    let hash = |made: &Commit| match &made.kind {
        OccurrenceKind::Commit { commit, .. } => commit.parse::<usize>().unwrap() - 1,
        other => panic!("{other:?}"),
    };
    moves.commits.iter().map(hash).collect()
}

#[test]
fn every_line_is_read_once_also_when_git_shortens_or_replaces_its_journal() {
    let (dir, journal) = repository();
    fs::write(&journal, line(1) + &line(2)).unwrap();
    let mut commits = ReflogReader::of(&dir.path().join("deep/er"), StartAt::Now).unwrap();
    assert_eq!(commits.repo_root(), dir.path().join("deep/er"));
    assert_eq!(hashes(&commits.read_new()), NONE);
    fs::write(&journal, line(1) + &line(2) + &line(3) + "torn").unwrap();
    assert_eq!(hashes(&commits.read_new()), [3]);
    assert_eq!(hashes(&commits.read_new()), NONE);
    fs::write(&journal, line(3) + &line(4)).unwrap();
    assert_eq!(hashes(&commits.read_new()), [4], "shortened from the front, with a new line");
    fs::write(&journal, line(4)).unwrap();
    assert_eq!(hashes(&commits.read_new()), NONE, "shortened");
    fs::write(&journal, line(7) + &line(8) + &line(9)).unwrap();
    assert_eq!(hashes(&commits.read_new()), [7, 8, 9], "another repository in its place");
    fs::remove_file(&journal).unwrap();
    assert_eq!(hashes(&commits.read_new()), NONE);
    fs::write(&journal, line(5)).unwrap();
    assert_eq!(hashes(&commits.read_new()), [5]);
    fs::write(&journal, line(5) + &line(6) + &line(5)).unwrap();
    assert_eq!(hashes(&commits.read_new()), [6, 5], "made, taken back and made again within a second");
}

#[test]
fn each_commit_is_told_with_the_branch_it_was_made_on() {
    let (dir, journal) = repository();
    fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/late\n").unwrap();
    let actions = [
        "commit: on main",
        "checkout: moving from main to 0123456789012345678901234567890123456789",
        "commit: on nothing",
        "checkout: moving from 0123456789012345678901234567890123456789 to side",
        "commit (amend): on side",
        "checkout: moving from side to late",
        "commit: on late",
        "rebase (start): checkout main",
        "rebase (pick): on late",
        "rebase (finish): returning to refs/heads/late",
    ];
    let lines = actions.map(|it| format!("{:040} {:040} A <a@b> 1 +0000\t{it}\n", 0, 1));
    fs::write(&journal, lines.concat()).unwrap();
    let moves = ReflogReader::of(dir.path(), StartAt::Beginning).unwrap().read_new();
    let told: Vec<_> = moves
        .commits
        .iter()
        .map(|made| match &made.kind {
            OccurrenceKind::Commit { how, branch, .. } => (*how, branch.as_deref()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        told,
        [
            (CommitKind::Commit, Some("main")),
            (CommitKind::Commit, None),
            (CommitKind::Amend, Some("side")),
            (CommitKind::Commit, Some("late")),
            (CommitKind::Rebase, Some("late")),
        ]
    );
}

#[test]
fn a_repository_that_appears_is_told_from_its_beginning() {
    let (dir, journal) = repository();
    fs::write(&journal, line(1)).unwrap();
    assert_eq!(hashes(&ReflogReader::of(dir.path(), StartAt::Beginning).unwrap().read_new()), [1]);
}

#[test]
fn a_worktree_has_a_journal_of_its_own() {
    let (dir, _) = repository();
    let own = dir.path().join(".git/worktrees/side/logs");
    fs::create_dir_all(&own).unwrap();
    let side = tempfile::tempdir().unwrap();
    let pointer = format!("gitdir: {}\n", dir.path().join(".git/worktrees/side").display());
    fs::write(side.path().join(".git"), pointer).unwrap();
    let mut commits = ReflogReader::of(side.path(), StartAt::Now).unwrap();
    fs::write(own.join("HEAD"), line(1)).unwrap();
    assert_eq!(hashes(&commits.read_new()), [1]);
}
