//! Programs that run what is typed into them, on a host that does not announce what is typed.

use shell::guard::{self, Policy, RuleId};
use shell::{Place, TypedInput, read};

fn is_refused(command: &str, typed: TypedInput) -> bool {
    let place = Place { home: Some("/home/me"), typed, ..Place::at("/home/me/work/project") };
    let judgement = guard::judge(&read(command, &place), &Policy::default());
    judgement.reasons.iter().any(|finding| finding.rule == RuleId::InteractiveProgram)
}

const WAITING: &[&str] = &[
    "bash",
    "/bin/bash",
    "bash -i",
    "bash -l",
    "bash --norc",
    "bash -s",
    "bash -",
    "bash < /dev/tty",
    "sh",
    "zsh -il",
    "exec bash",
    "env FOO=1 bash",
    "bash -c 'exec sh'",
    "cd src && bash",
    "(bash)",
    "true; sh",
    "timeout 600 bash",
    "nice sh",
    "sudo -s",
    "sudo -nEs",
    "sudo --user=x --shell",
    "doas -u x -s",
    "run0 -u me",
    "systemd-run -S",
    "vi x",
    "less x",
    "tmux -L x",
    "screen -S x",
    "autossh -M 0 host",
    "iex -S mix",
    "stack ghci",
    "docker attach web",
    "csh -f",
    "pwsh -NoProfile",
    "bash < /dev/stdin",
    "sudo -i -u postgres",
    "su",
    "su - me",
    "script -q /dev/null",
    "tmux",
    "tmux new -s work",
    "screen",
    "docker exec -it web bash",
    "kubectl exec -it web -- sh",
    "ssh build.example.com",
    "ssh -i key me@build.example.com",
    "unshare -r",
    "chroot /srv/root",
    "nix-shell",
    "poetry shell",
    "python3",
    "python3 -i",
    "python3 -i tool.py",
    "python3 -",
    "python3 -q",
    "python3 -m pdb tool.py",
    "python3 -m code",
    "ipython",
    "node",
    "node -i",
    "perl -d tool.pl",
    "perl",
    "php -a",
    "ruby",
    "irb",
    "lua -i",
    "julia",
    "ghci",
    "rails console",
    "python manage.py shell",
    "gdb ./app",
    "psql",
    "psql -h db -U me app",
    "mysql -u root app",
    "sqlite3 app.db",
    "redis-cli",
    "mongosh",
    "vim",
    "vi notes.txt",
    "nano notes.txt",
    "less notes.txt",
    "git log | less",
    "GIT_PAGER=less git log",
    "ftp host.example.com",
    "sftp host.example.com",
    "cat | sh",
    "cat - | bash",
    "tee /dev/null | sh",
    "sh /dev/stdin",
    "bash /proc/self/fd/0",
    ". /dev/stdin",
    "source /dev/tty",
    "read line; eval \"$line\"",
    "read line && $line",
    "IFS= read -r line; sh -c \"$line\"",
    "while read -r line; do eval \"$line\"; done",
    "while read -r line; do sh -c \"$line\"; done",
    "eval \"$(cat)\"",
    "sh -c \"$(head -1)\"",
    "$(cat)",
    "xargs -I{} sh -c '{}'",
    "parallel",
    "python3 -c 'exec(input())'",
    "python3 -c 'import sys; exec(sys.stdin.read())'",
    "node -e 'process.stdin.on(\"data\", d => eval(String(d)))'",
];

const ENDING: &[&str] = &[
    "bash script.sh",
    "php -S localhost:8000",
    "script -q /dev/null npm test",
    "bash -c 'npm test'",
    "bash -lc 'npm test'",
    "bash --version",
    "bash -n script.sh",
    "bash < script.sh",
    "bash <<'X'\nls\nX",
    "echo ls | bash",
    "sudo systemctl status web",
    "sudo -u postgres psql -c 'SELECT 1'",
    "su me -c 'ls'",
    "ssh build.example.com uptime",
    "ssh -T git@github.com",
    "ssh -N -L 8080:localhost:80 host",
    "docker exec web ls",
    "docker exec -i web psql -c 'SELECT 1'",
    "tmux new -d -s work 'npm run dev'",
    "tmux ls",
    "python3 tool.py",
    "python3 tool.py -i",
    "python3 -c 'print(1)'",
    "python3 -m pytest -q",
    "python3 -m http.server",
    "python3 --version",
    "python3 - <<'X'\nprint(1)\nX",
    "python3 -c 'name = input(); print(name)'",
    "node server.js",
    "node -e 'console.log(1)'",
    "node --test",
    "npm test",
    "perl -pe 's/a/b/' notes.txt",
    "ruby -e 'puts 1'",
    "php -v",
    "gdb -batch -ex bt ./app core",
    "psql -c 'SELECT 1'",
    "psql -f schema.sql app",
    "echo 'SELECT 1' | psql app",
    "mysql -e 'SHOW TABLES'",
    "mysql app < dump.sql",
    "sqlite3 app.db 'SELECT 1'",
    "sqlite3 app.db .schema",
    "redis-cli PING",
    "mongosh app --eval 'db.stats()'",
    "vim -c '%s/a/b/' -c 'wq' notes.txt",
    "vim -es -c '%s/a/b/' -c 'wq' notes.txt",
    "vim --version",
    "man ls",
    "cat notes.txt",
    "cat > notes.txt",
    "tee notes.txt",
    "read -r answer; echo \"$answer\"",
    "while read -r f; do echo \"$f\"; done < list.txt",
    "find . -name '*.rs' | xargs wc -l",
    "git ls-files | xargs -I{} sh -c 'wc -l {}'",
    "awk '{print $1}' notes.txt",
    "cargo run",
    "R CMD check .",
    "swift build",
    "make SHELL=/bin/bash test",
    "export EDITOR=vim",
    "git config core.editor vim",
    "GIT_SSH_COMMAND='ssh -i key' git fetch",
    "rsync -e 'ssh -p 2222' -a dist/ host:/srv/app/",
    "source <(grep -v '^#' .env)",
];

#[test]
fn a_program_that_waits_for_commands_is_refused_where_nobody_sees_them() {
    let missed: Vec<_> =
        WAITING.iter().filter(|command| !is_refused(command, TypedInput::Unannounced)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_program_that_has_its_work_is_not_refused() {
    let wrong: Vec<_> =
        ENDING.iter().filter(|command| is_refused(command, TypedInput::Unannounced)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn where_hooks_see_what_is_typed_nothing_is_refused_for_it() {
    let wrong: Vec<_> = WAITING.iter().filter(|command| is_refused(command, TypedInput::Announced)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Lines of the collections that open a program for a person to type into.
const FOR_A_PERSON: &[&str] = &[
    "rails console",
    "docker exec -it web bash",
    "iex -S mix",
    "git -c color.ui=always diff | less -R",
    "docker run -it --rm --network host alpine sh",
    "k9s --readonly",
    "sftp host",
    "vimdiff a b",
    "less +F log",
    "curl -sSL https://example.com/install.sh -o install.sh && less install.sh",
    "vim +10 src/a.ts",
    "vim -d a b",
    "EDITOR=vim git commit",
];

#[test]
fn ordinary_commands_are_not_refused() {
    let lines = [include_str!("corpus/ordinary.txt"), include_str!("corpus/everyday.txt")];
    let commands = lines.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
    let refused: Vec<_> = commands.filter(|command| is_refused(command, TypedInput::Unannounced)).collect();
    assert_eq!(refused, FOR_A_PERSON);
}
