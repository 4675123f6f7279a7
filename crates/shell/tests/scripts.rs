//! Scripts that are run are read: writing the attack to a file first does not help.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Files, Origin, Place, read};

/// A disk with these files.
struct Disk(&'static [(&'static str, &'static str)]);

impl Files for Disk {
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        let (_, content) = self.0.iter().find(|(name, _)| *name == path)?;
        Some(content.bytes().take(limit).collect())
    }

    fn is_dir(&self, path: &str) -> bool {
        self.0.iter().any(|(name, _)| name.starts_with(&format!("{path}/")))
    }
}

const DISK: Disk = Disk(&[
    ("/w/bad.sh", "#!/bin/bash\nset -e\necho cleaning\nrm -rf /\n"),
    ("/w/good.sh", "#!/usr/bin/env bash\nrm -rf build dist\nnpm ci\n"),
    ("/w/args.sh", "rm -rf \"$1\"\n"),
    ("/w/outer.sh", "source ./inner.sh\n"),
    ("/w/inner.sh", "git reset --hard\n"),
    ("/w/endless.sh", "bash endless.sh; ./endless.sh\n"),
    ("/w/bad.py", "import shutil\nshutil.rmtree('/home')\n"),
    ("/w/good.py", "print('rm -rf /')\n"),
    (
        "/w/Makefile",
        "OUT = build\nROOT := /\n\nall: clean\n\techo done\n\nclean:\n\trm -rf $(OUT)\n\nwipe: clean\n\t@rm -rf $(ROOT)\n",
    ),
    (
        "/w/package.json",
        r#"{"name":"x","scripts":{"clean":"rm -rf dist","wipe":"rm -rf \"$HOME\"","prebuild":"git clean -fdx","build":"tsc","loop":"npm run loop"}}"#,
    ),
    ("/w/justfile", "build:\n    cargo build\n\nwipe:\n    rm -rf /\n"),
    ("/w/drop.sql", "-- hi\nDROP DATABASE app;\n"),
    ("/w/good.sql", "SELECT 'DROP DATABASE app';\n"),
    ("/w/.git/HEAD", "ref: refs/heads/feature/x\n"),
    ("/w/src/a.rs", ""),
]);

fn verdict(command: &str) -> GuardDecision {
    let place = Place { home: Some("/home/me"), files: &DISK, ..Place::at("/w") };
    guard::judge(&read(command, &place), &Policy::default()).verdict
}

fn check(expected: GuardDecision, commands: &[&str]) {
    let wrong: Vec<_> = commands
        .iter()
        .map(|command| (verdict(command), command))
        .filter(|(found, _)| *found != expected)
        .collect();
    assert!(wrong.is_empty(), "should be {expected:?}: {wrong:#?}");
}

#[test]
fn bad_scripts_are_denied_however_they_are_run() {
    check(
        GuardDecision::Deny,
        &[
            "bash bad.sh",
            "sh ./bad.sh",
            "./bad.sh",
            "source bad.sh",
            ". ./bad.sh",
            "bash < bad.sh",
            "cat bad.sh | bash",
            "sudo ./bad.sh",
            "nohup bash bad.sh &",
            "cd /w && ./bad.sh",
            "/w/bad.sh",
            "bash args.sh /",
            "./outer.sh",
            "python3 bad.py",
            "make wipe",
            "make -C /w wipe",
            "npm run wipe",
            "yarn wipe",
            "pnpm run wipe",
            "npm run build",
            "just wipe",
            "psql -f drop.sql",
            "find . -name x -exec ./bad.sh {} \\;",
            "bash -c './bad.sh'",
            "x=bad; bash $x.sh",
            "cp bad.sh /tmp/y.sh && bash /tmp/y.sh",
        ],
    );
}

#[test]
fn good_scripts_pass() {
    check(
        GuardDecision::Allow,
        &[
            "bash good.sh",
            "./good.sh",
            "python3 good.py",
            "make",
            "make clean",
            "npm run clean",
            "just build",
            "bash args.sh build",
            "psql -f good.sql",
            "npm run loop",
            "bash endless.sh",
            "cat bad.sh",
            "grep rm bad.sh",
        ],
    );
}

#[test]
fn the_branch_that_is_checked_out_is_known() {
    check(GuardDecision::Ask, &["git push --force", "git push -f origin HEAD", "git checkout src/"]);
}

#[test]
fn commands_of_a_script_say_where_they_come_from() {
    let place = Place { home: Some("/home/me"), files: &DISK, ..Place::at("/w") };
    let reading = read("./good.sh", &place);
    let found = reading.commands.iter().find(|command| command.program == "rm");
    assert!(found.is_some_and(|command| command.origin == Origin::Script("./good.sh".to_owned())));
}
