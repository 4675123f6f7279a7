//! Which searches, reads and downloads nothing bounds.

use shell::breadth::{Extent, Zone, downloads, sweeps, whole_files};
use shell::{Dialect, Place, Reading, read};

const MAX_LINES: u64 = 1000;

fn reading(command: &str) -> Reading {
    read(command, &Place { home: Some("/home/me"), ..Place::at("/home/me/w") })
}

#[track_caller]
fn check(commands: &[&str], expected: Option<(Zone, Extent)>) {
    for command in commands {
        let reading = reading(command);
        let found = sweeps(&reading, MAX_LINES);
        let found = found.first().map(|sweep| (sweep.zone, sweep.extent));
        assert_eq!(found, expected, "{command}");
    }
}

#[test]
fn a_search_of_the_workspace_that_nothing_bounds_is_found() {
    check(
        &[
            "grep -r foo .",
            "grep -rn foo",
            "grep -Rni 'foo bar' ./",
            "grep -r foo *",
            "egrep -r foo /home/me/w",
            "cd src && grep -r foo ..",
            "find .",
            "find . -type f",
            "find -name '*'",
            "find . -type f | sort",
            "find . -type f -exec cat {} +",
            "find . -type f | xargs grep foo",
            "find . -type f -print0 | xargs -0 grep -n foo",
            "ls -R",
            "ls -laR . | cat",
            "tree",
            "tree -a .",
            "fd",
            "fd . --type f",
            "rg --files",
            "rg ''",
            "rg -uu foo",
            "rg --no-ignore foo .",
            "bash -c 'grep -r foo .'",
            "if true; then tree; fi",
            "grep -r foo . | head -n 100000",
        ],
        Some((Zone::Workspace, Extent::Everything)),
    );
}

#[test]
fn a_search_of_the_whole_machine_is_found_whatever_it_prints() {
    check(
        &[
            "grep -r foo /",
            "grep -rl foo ~",
            "find / -name foo.conf 2>/dev/null",
            "find / -name foo.conf | head -5",
            "find ~ -name '*.rs' > /tmp/list",
            "x=$(find / -name foo)",
            "rg foo /",
            "rg foo ~",
            "cd / && rg foo",
            "fd foo /",
            "ls -R ~",
            "tree /",
            "find .. -name x",
            "find /home -name x",
            "sudo find / -name x",
            "rg foo $HOME",
        ],
        Some((Zone::Everywhere, Extent::Everything)),
    );
}

#[test]
fn a_search_for_something_in_what_is_not_ignored_is_told_apart() {
    check(
        &["rg foo", "rg -n 'fn main' .", "rg --hidden foo", "ag foo", "rg -i foo ."],
        Some((Zone::Workspace, Extent::Project)),
    );
}

#[test]
fn a_search_that_something_bounds_is_left_alone() {
    check(
        &[
            "grep -r foo src",
            "grep -rn foo . --include='*.rs'",
            "grep -rn foo . --exclude-dir=node_modules",
            "grep -rl foo .",
            "grep -rm 3 foo .",
            "grep -r foo . | head",
            "grep -r foo . | head -n 50",
            "grep -r foo . | head -50",
            "grep -r foo . | wc -l",
            "grep -r foo . > /tmp/found",
            "grep -rq foo .",
            "n=$(grep -r foo . | wc -l)",
            "for f in $(find . -type f); do echo x; done",
            "grep foo Cargo.toml",
            "cat x | grep foo",
            "git grep foo",
            "git ls-files",
            "find . -name '*.rs'",
            "find . -maxdepth 2",
            "find . -type f -not -path './node_modules/*'",
            "find . -path ./target -prune -o -print",
            "find . -type f | wc -l",
            "find . -type f | grep test",
            "find . -type f | head -20",
            "find . -type f | sort | head",
            "find . -type f | sed -n '1,20p'",
            "find src -type f",
            "find . -type f -exec chmod 644 {} +",
            "find /etc -name hosts",
            "find / -maxdepth 1",
            "timeout 5 find / -name x",
            "find / | head",
            "ls",
            "ls -la /",
            "ls -r",
            "ls -R src",
            "ls -R | head",
            "tree -L 2",
            "tree -I node_modules",
            "tree src",
            "tree | head -40",
            "fd foo",
            "fd -e rs",
            "fd -d 1",
            "fd . src",
            "rg foo src",
            "rg -g '*.rs' foo",
            "rg -t rust foo",
            "rg -l foo",
            "rg -m 5 foo",
            "rg foo | head -20",
            "rg -uu foo target",
            "rg --files | rg test",
            "rg --files -g '*.md'",
            "cargo test 2>&1 | rg FAILED",
            "git log | rg fix",
            "rg --version",
            "echo 'grep -r foo /'",
            "git commit -m 'find / and grep -r . are slow'",
            "ssh host find / -name x",
            "docker exec app find / -name x",
            "grep -r foo \"$DIR\"",
        ],
        None,
    );
    let listed: Vec<_> = ["rg -l foo", "rg foo | head"].map(|line| sweeps(&reading(line), 5).len()).into();
    assert_eq!(listed, [0, 0]);
}

#[test]
fn a_program_that_prints_its_own_help_or_version_searches_nothing() {
    check(
        &[
            "fd --help",
            "fd -h",
            "fd -V",
            "fdfind --version",
            "tree --help",
            "tree --version",
            "find --help",
            "find / -help",
            "find . --version",
            "ls -R --help",
            "grep -r --help",
            "grep -rV",
            "rgrep --version",
            "rg --files --help",
            "rg -uu -h foo",
            "ag --help foo",
            "cd / && tree --help",
        ],
        None,
    );
    for line in [
        "curl --help https://example.org",
        "curl -V https://example.org",
        "wget -O - --help https://example.org",
    ] {
        assert_eq!(downloads(&reading(line), MAX_LINES).len(), 0, "{line}");
    }
    assert!(whole_files(&reading("cat --help a.log"), MAX_LINES).is_empty());
}

#[test]
fn a_search_for_the_text_of_such_an_option_is_a_search() {
    check(
        &["grep -r -- --help .", "grep -re --help .", "grep -rh foo .", "rg -uu -e --version"],
        Some((Zone::Workspace, Extent::Everything)),
    );
    check(&["find / -name --help"], Some((Zone::Everywhere, Extent::Everything)));
}

#[test]
fn powershell_lists_whole_trees_too() {
    for (line, n_found) in [
        ("Get-ChildItem -Recurse", 1),
        ("gci -Recurse | Select-Object -First 20", 0),
        ("Get-ChildItem -Recurse -Filter *.rs", 0),
        ("Get-ChildItem src -Recurse", 0),
        ("Get-ChildItem", 0),
    ] {
        let place = Place { dialect: Dialect::PowerShell, ..Place::at("/home/me/w") };
        assert_eq!(sweeps(&read(line, &place), MAX_LINES).len(), n_found, "{line}");
    }
}

#[test]
fn files_printed_from_begin_to_end_are_found() {
    for (line, expected) in [
        ("cat a.log", vec!["/home/me/w/a.log"]),
        ("cat a b", vec!["/home/me/w/a", "/home/me/w/b"]),
        ("cd src && nl x", vec!["/home/me/w/src/x"]),
        ("cat a | sort", vec!["/home/me/w/a"]),
        ("cat a | head -20", vec![]),
        ("cat a | grep x", vec![]),
        ("cat a > b", vec![]),
        ("x=$(cat a)", vec![]),
        ("head -50 a", vec![]),
        ("bat -r 1:20 a", vec![]),
        ("xxd -l 64 a", vec![]),
        ("echo cat a", vec![]),
    ] {
        let reading = reading(line);
        let found: Vec<_> = whole_files(&reading, MAX_LINES).iter().map(|used| used.path.clone()).collect();
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn pages_fetched_to_be_shown_are_found() {
    for (line, n_found) in [
        ("curl https://example.org/page", 1),
        ("curl -sSL https://example.org/a https://example.org/b", 2),
        ("wget -qO- https://example.org", 1),
        ("curl http://localhost:3000/health", 0),
        ("curl -s https://example.org | head -20", 0),
        ("curl -s https://example.org | jq .name", 0),
        ("curl -o page.html https://example.org", 0),
        ("curl -I https://example.org", 0),
        ("curl --max-filesize 10000 https://example.org", 0),
        ("curl -X POST -d x=1 https://example.org", 0),
        ("wget https://example.org/a.tgz", 0),
        ("echo curl https://example.org", 0),
    ] {
        assert_eq!(downloads(&reading(line), MAX_LINES).len(), n_found, "{line}");
    }
}
