//! Reaching what governs without naming it: by a pattern, a search, an archive, a link, a copied folder.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Files, GitStatus, Place, read};

use crate::{denied, passes};

/// A workspace `~/w` with registrations, a copy of them in `backup`, and links to them.
struct Disk;

const THERE: [&str; 7] = [
    "/home/me/w/.claude",
    "/home/me/w/.claude/settings.json",
    "/home/me/w/.codex/hooks.json",
    "/home/me/w/.github/hooks",
    "/home/me/w/backup/.claude",
    "/home/me/w/backup/.claude/settings.json",
    "/home/me/w/src/a.ts",
];

impl Files for Disk {
    fn read(&self, _: &str, _: usize) -> Option<Vec<u8>> {
        None
    }

    fn is_dir(&self, path: &str) -> bool {
        THERE.iter().any(|there| there.starts_with(&format!("{path}/"))) || path == "/home/me/w/.github/hooks"
    }

    fn exists(&self, path: &str) -> bool {
        self.is_dir(path) || THERE.contains(&path)
    }

    fn git_status(&self, path: &str) -> Option<GitStatus> {
        Some(GitStatus { untracked: self.exists(path), ..GitStatus::default() })
    }

    fn behind_links(&self, path: &str) -> Option<String> {
        for (link, target) in [
            ("/home/me/w/link", "/home/me/w/.claude"),
            ("/home/me/w/alias", "/home/me/w/.codex/hooks.json"),
            ("/home/me/w/lib", "/home/me/w/src"),
        ] {
            if let Some(rest) =
                path.strip_prefix(link).filter(|rest| rest.is_empty() || rest.starts_with('/'))
            {
                return Some(format!("{target}{rest}"));
            }
        }
        None
    }
}

fn on_disk(expected: GuardDecision, commands: &[&str]) {
    let place = Place {
        home: Some("/home/me"),
        user_state: Some("/home/me/state/steersman"),
        files: &Disk,
        ..Place::at("/home/me/w")
    };
    let verdict = |command: &str| guard::judge(&read(command, &place), &Policy::default()).verdict;
    let wrong: Vec<_> = commands.iter().filter(|command| verdict(command) != expected).collect();
    assert!(wrong.is_empty(), "should be {expected:?}: {wrong:#?}");
}

#[test]
fn a_pattern_is_held_against_every_governing_name() {
    denied(&[
        "rm -rf .c*",
        "rm -rf .[a-z]*",
        "rm .*/settings.json",
        "rm */.claude/settings.json",
        "rm */*/.codex/hooks.json",
        "mv .c* /tmp/",
        "chmod 000 .c*/*.json",
        "rm -rf @(.claude|.codex)",
        "rm -rf .+(c)laude",
        "cp -r backup/.[a-z]* .",
    ]);
    passes(&[
        "rm -rf .cache*",
        "rm -f *.json",
        "rm -rf .p*",
        "sed -i s/a/b/ .github/*/*.yml",
        "ls .c*",
        "cat .c*/*",
    ]);
    on_disk(GuardDecision::Deny, &["rm -r .github/*"]);
}

#[test]
fn a_search_that_may_find_them_does_what_it_does_to_them() {
    denied(&[
        "find . -name hooks.json -delete",
        "find . -name hooks.json -exec rm {} +",
        "find . -name settings.json | xargs rm",
        "find . -name settings.json -exec sh -c 'rm \"$1\"' _ {} \\;",
        "find . -iname HOOKS.json -delete",
        "find . -path '*/.claude/*' -delete",
        "find . -path './.claude/*' -type f -exec rm {} +",
        "find . -name .claude -exec rm -rf {} +",
        "find .. -name hooks.json -delete",
        "rm $(find . -name hooks.json)",
        "fd -H hooks.json -x rm",
        "fd -u settings.json -X rm",
    ]);
    on_disk(
        GuardDecision::Deny,
        &[
            "find . -name '*.json' -delete",
            "find . -name 'settings*.json' -print0 | xargs -0 rm",
            "find . -regex '.*/settings.json' -delete",
            "find . -name '.c*' -prune -exec rm -rf {} \\;",
            "find . -name x -o -name '*.json' -delete",
            "find . -not -name '*.ts' -type f -delete",
            "find . -maxdepth 2 -type f -name '*s.json' -delete",
            "fd -HI -e json . -x rm {}",
        ],
    );
}

#[test]
fn a_search_that_reads_them_or_cannot_find_them_passes() {
    on_disk(
        GuardDecision::Allow,
        &[
            "find . -name settings.json",
            "find . -name hooks.json -exec cat {} +",
            "find . -name '*.json' | xargs grep hooks",
            "find . -name '*.pyc' -delete",
            "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
            "find . -type d -empty -delete",
            "find src -name '*.json' -delete",
            "find . -name '*.json' -not -path './.*' -delete",
            "find . -maxdepth 1 -name '*.json' -delete",
            "find . -path './.*' -prune -o -name '*.json' -exec sed -i s/a/b/ {} +",
            "fd -e json -x prettier --write",
            "fd settings.json",
        ],
    );
}

#[test]
fn members_of_archives_and_contents_of_folders_are_written_where_they_land() {
    denied(&[
        "tar xf a.tar .claude/settings.json",
        "tar xzf a.tgz .claude",
        "tar xf a.tar --strip-components=1 b/.claude",
        "bsdtar xf a.tar .codex/hooks.json",
        "unzip a.zip '.claude/*'",
        "unzip -o a.zip .claude/settings.json",
        "7z x a.7z .claude/settings.json",
        "cpio -i .claude/settings.json < a.cpio",
        "cp --parents a/.claude/settings.json .",
        "ln -sfn /tmp/x .claude",
        "rsync -a backup/.claude .",
    ]);
    on_disk(
        GuardDecision::Deny,
        &[
            "cp -r backup/. .",
            "cp -rT backup .",
            "rsync -a backup/ .",
            "cd backup && cp -r . ..",
            "mv backup/.claude .",
        ],
    );
    on_disk(
        GuardDecision::Allow,
        &[
            "tar xf a.tar src",
            "tar czf a.tgz .claude",
            "unzip a.zip 'src/*'",
            "cp -r backup out",
            "cp -r src/. lib2",
            "rsync -a src/ out/",
        ],
    );
}

#[test]
fn a_link_that_is_there_already_is_followed() {
    on_disk(
        GuardDecision::Deny,
        &[
            "rm link/settings.json",
            "echo x > link/settings.json",
            "echo x > alias",
            "cd link && rm settings.json",
            "sed -i s/a/b/ alias",
            "rm link/*.json",
            "find link/ -delete",
            "python3 -c \"open('alias', 'w')\"",
        ],
    );
    on_disk(GuardDecision::Allow, &["rm lib/a.ts", "echo x > lib/b.ts", "rm alias", "cat alias", "ls link/"]);
}

#[test]
fn the_state_folder_is_known_by_its_variable() {
    on_disk(GuardDecision::Deny, &["echo /tmp > $XDG_STATE_HOME/steersman/sessions/0123456789abcdef"]);
}

#[test]
fn git_does_not_take_them_out_of_a_folder_that_it_is_given() {
    on_disk(GuardDecision::Deny, &["git stash push -u -- backup", "git clean -fd backup"]);
    on_disk(GuardDecision::Allow, &["git stash push -u -- src", "git stash push -- backup"]);
}
