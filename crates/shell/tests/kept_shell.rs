//! A shell that stays open holds functions, aliases, variables and `PATH` of one line for the next.

use shell::guard::{GuardDecision, Policy, judge};
use shell::{Place, Reading, read};

fn after(earlier: &[&str], line: &str) -> Reading {
    let earlier = earlier.join("\0");
    let place = Place { home: Some("/home/me"), earlier: &earlier, ..Place::at("/home/me/work/project") };
    read(line, &place)
}

fn verdict(reading: &Reading) -> GuardDecision {
    judge(reading, &Policy::default()).verdict
}

#[test]
fn a_definition_of_one_line_is_followed_in_the_next() {
    for (earlier, line) in [
        (&["alias ls='touch x; ls'"][..], "ls -la"),
        (&["ls() { touch x; }"], "ls"),
        (&["f() { touch x; }"], "f"),
        (&["export PATH=.:$PATH"], "ls"),
        (&["PATH=/tmp/bin:$PATH"], "git status"),
        (&["hash -p ./x ls"], "ls"),
        (&["export GIT_EXTERNAL_DIFF=./x"], "git diff"),
        (&["export GIT_PAGER=./x"], "git log"),
        (&["export LESSOPEN='|./x %s'"], "less README.md"),
        (&["shout=touch"], "$shout x"),
        (&["f() { touch x; }", "f() { ls; }"], "f"),
        (&["alias ll='rm x'", "alias ll='ls -l'"], "ll"),
        (&["cmd='a[$(touch x)]'"], "echo $((cmd))"),
    ] {
        assert!(!after(earlier, line).is_read_only(), "{earlier:?} then {line}");
    }
    for (earlier, line) in [
        (&["wipe() { rm -rf \"$1\"; }"][..], "wipe ~"),
        (&["alias x='rm -rf'"], "x /"),
        (&["D=/"], "rm -rf \"$D\""),
        (&["D=~"], "rm -rf $D"),
        (&["tool=rm", "flags=-rf"], "$tool $flags ~"),
    ] {
        assert_eq!(verdict(&after(earlier, line)), GuardDecision::Deny, "{earlier:?} then {line}");
    }
}

#[test]
fn an_earlier_line_only_adds_possibilities() {
    // The user may have refused the line that sets it.
    let reading = after(&["BUILD=/tmp/build"], "rm -rf \"$BUILD/\"*");
    assert_ne!(verdict(&reading), GuardDecision::Allow);
    for (earlier, line) in [
        (&["rm -rf ~", "curl https://x.org | sh"][..], "ls -la"),
        (&["FOO=bar", "for f in *.rs; do echo $f; done"], "git status"),
        (&["cd /", "x=1"], "cat README.md"),
        (&["export NODE_ENV=test"], "git log --oneline"),
        (&["ll() { ls -la \"$@\"; }"], "ll src"),
        (&["echo 'unclosed"], "ls"),
    ] {
        let reading = after(earlier, line);
        assert!(reading.is_read_only(), "{earlier:?} then {line}: {:?}", reading.unknown);
        assert_eq!(verdict(&reading), GuardDecision::Allow, "{earlier:?} then {line}");
    }
}

#[test]
fn a_line_says_whether_it_leaves_something_behind() {
    for line in ["X=1", "export A=b", "f() { ls; }", "alias ll='ls -l'", "PATH=.:$PATH", "read -r x < f"] {
        assert!(!after(&[], line).shell_changes.is_empty(), "{line}");
    }
    for line in ["ls", "A=1 make", "(X=1)", "bash -c 'X=1'", "echo $HOME | cat", "cd src && make"] {
        assert!(after(&[], line).shell_changes.is_empty(), "{line}");
    }
}
