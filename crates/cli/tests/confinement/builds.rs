//! Real tools with a scope of their sources: they run as they do unconfined.

use std::fs;

use crate::workspace::{Workspace, said};

/// A name, the files of the project, and the command. The scope is `src`.
type Build = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const CARGO: &[(&str, &str)] = &[
    (".gitignore", "target\n"),
    ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"),
    ("src/lib.rs", "pub fn two() -> i32 { 2 }\n#[test]\nfn works() { assert_eq!(two(), 2); }\n"),
];

const NODE: &[(&str, &str)] = &[
    (".gitignore", "node_modules\ndist\n"),
    (
        "package.json",
        "{\"name\":\"x\",\"version\":\"1.0.0\",\"scripts\":{\"test\":\"node --test src/\",\"build\":\"mkdir -p dist && cp src/a.test.js dist/\"},\"dependencies\":{\"dep\":\"file:dep\"}}",
    ),
    (
        "package-lock.json",
        "{\"name\":\"x\",\"version\":\"1.0.0\",\"lockfileVersion\":3,\"requires\":true,\"packages\":{\"\":{\"name\":\"x\",\"version\":\"1.0.0\",\"dependencies\":{\"dep\":\"file:dep\"}},\"dep\":{\"version\":\"1.0.0\"},\"node_modules/dep\":{\"resolved\":\"dep\",\"link\":true}}}",
    ),
    ("dep/package.json", "{\"name\":\"dep\",\"version\":\"1.0.0\"}"),
    ("src/a.test.js", "require('node:test')('works', () => {})\n"),
];

const PYTHON: &[(&str, &str)] = &[
    (".gitignore", ".venv\nbuild\n__pycache__\n"),
    ("pyproject.toml", "[project]\nname = \"x\"\nversion = \"1\"\n"),
    ("src/a.py", "def two(): return 2\n"),
    (
        "src/test_a.py",
        "import unittest, a, multiprocessing as m\nclass T(unittest.TestCase):\n    def test(self):\n        m.Lock()\n        self.assertEqual(a.two(), 2)\n",
    ),
];

const C: &[(&str, &str)] = &[
    (".gitignore", "build\nobj\n"),
    (
        "Makefile",
        "all: build/x build/libx.so\nbuild/x: src/x.c\n\t$(CC) -O2 -o $@ $<\nbuild/libx.so: src/l.c\n\t$(CC) -shared -fPIC -o $@ $<\ncheck: all\n\tbuild/x\n",
    ),
    ("src/x.c", "int main(void) { return 0; }\n"),
    ("src/l.c", "int two(void) { return 2; }\n"),
];

const GIT: &[(&str, &str)] = &[("src/a", "one\n"), ("out/b", "b\n"), ("README", "x\n")];

const BUILDS: &[Build] = &[
    ("cargo build", CARGO, "cargo build --offline --quiet"),
    ("cargo test", CARGO, "cargo test --offline --quiet"),
    ("cargo check", CARGO, "cargo check --offline --quiet"),
    ("cargo doc", CARGO, "cargo doc --offline --quiet --no-deps"),
    ("rustfmt", CARGO, "rustfmt --edition 2021 src/lib.rs"),
    ("npm ci", NODE, "npm ci --offline --no-audit --no-fund"),
    ("npm test", NODE, "npm test"),
    ("npm run build", NODE, "npm run build"),
    ("node --watch", NODE, "timeout 3 node --watch src/a.test.js > /dev/null; test $? = 124"),
    (
        "venv and pip",
        PYTHON,
        "/usr/bin/python3 -m venv --without-pip .venv && .venv/bin/python -c 'import sys; assert sys.prefix.endswith(\".venv\")'",
    ),
    ("unittest with multiprocessing", PYTHON, "cd src && /usr/bin/python3 -m unittest -q"),
    ("compileall", PYTHON, "/usr/bin/python3 -m compileall -q src"),
    ("make", C, "mkdir -p build && make -s && make -s check"),
    ("make -j", C, "mkdir -p build && make -s -j4"),
    (
        "gcc and a large here-document",
        C,
        "{ echo 'cat <<EOF | wc -c'; head -c 100000 /dev/zero | tr '\\0' x; echo; echo EOF; } > src/h.sh && bash src/h.sh && gcc -c src/x.c -o src/x.o",
    ),
    ("sqlite", C, "sqlite3 src/db 'create table t(a); insert into t values (1); select a from t'"),
    (
        "sed and patch",
        C,
        "sed -i s/0/1/ src/x.c && printf -- '--- src/l.c\\n+++ src/l.c\\n@@ -1 +1 @@\\n-int two(void) { return 2; }\\n+int two(void) { return 3; }\\n' | patch -p0 -s",
    ),
    ("tar and gzip", C, "tar -czf src/s.tgz src/x.c src/l.c && mkdir src/o && tar -xzf src/s.tgz -C src/o"),
    (
        "a server in the background",
        C,
        "/usr/bin/python3 -m http.server 0 --directory src > /dev/null 2>&1 & sleep 1; kill $!",
    ),
    ("git add and commit", GIT, "git add -A && git commit -q -m two"),
    ("git stash", GIT, "git stash -q -u && git stash pop -q"),
    ("git rebase", GIT, "git rebase -q main"),
    ("git push to a local remote", GIT, "git push -q origin HEAD"),
    ("git branch and tag", GIT, "git branch other && git tag v1 && git log --oneline"),
    ("strace", C, "strace -f -o src/trace true || command -v strace > /dev/null || true"),
];

/// The builds that take longest; a short run leaves them out.
const LONG: [&str; 3] = ["cargo doc", "cargo check", "node --watch"];

fn prepare(files: &[(&str, &str)], needs_git: bool) -> Workspace {
    let workspace = Workspace::new();
    for (path, content) in files {
        workspace.write(path, content);
    }
    let lock = "test ! -e Cargo.toml || cargo generate-lockfile --offline";
    let git = "git init -q -b main && git config user.email a@b && git config user.name x && git add -A && git commit -q -m one && git init -q --bare ../remote && git remote add origin ../remote && git push -q origin main";
    let topic = " && git checkout -q -b topic && echo two >> src/a && git commit -q -a -m topic && echo three > src/b";
    let line = if needs_git { format!("{git}{topic}") } else { format!("{lock}; {git}") };
    let output = workspace
        .program("sh")
        .args(["-c", &line])
        .env("CARGO_HOME", cargo_home())
        .env("RUSTUP_HOME", rustup_home())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    workspace
}

#[test]
fn real_builds_run_unchanged_with_a_scope_of_their_sources() {
    let mut failures = Vec::new();
    let mut ran = 0;
    for (name, files, line) in
        BUILDS.iter().filter(|(name, ..)| testkit::is_long_run() || !LONG.contains(name))
    {
        let is_git = name.starts_with("git");
        // A rebase needs a tree without changes.
        let line = if *name == "git rebase" {
            line.replace("git rebase", "git stash -q -u && git rebase")
        } else {
            (*line).to_owned()
        };
        let call = |confined: bool| {
            let workspace = prepare(files, is_git);
            let mut command = if confined { workspace.run("--write src") } else { workspace.program("env") };
            if name.starts_with("cargo") || *name == "rustfmt" {
                // The tools are in the real home; their caches are, too.
                command.env("CARGO_HOME", cargo_home()).env("RUSTUP_HOME", rustup_home());
            }
            let output = command.args(["bash", "-c", &line]).output().unwrap();
            let top = fs::read_dir(workspace.root())
                .unwrap()
                .flatten()
                .map(|entry| entry.file_name())
                .collect::<Vec<_>>();
            (output, top)
        };
        let (plain, _) = call(false);
        assert!(plain.status.success(), "{name} fails unconfined: {}", said(&plain));
        let (confined, top) = call(true);
        ran += 1;
        if !confined.status.success() {
            failures.push(format!("{name}: {}\n{}\n{top:?}", confined.status, said(&confined)));
        }
    }
    assert!(ran >= 20, "{ran}");
    assert!(failures.is_empty(), "{}", failures.join("\n---\n"));
}

fn cargo_home() -> std::path::PathBuf {
    std::env::var_os("CARGO_HOME").map_or_else(|| home().join(".cargo"), Into::into)
}

fn rustup_home() -> std::path::PathBuf {
    std::env::var_os("RUSTUP_HOME").map_or_else(|| home().join(".rustup"), Into::into)
}

fn home() -> std::path::PathBuf {
    std::env::var_os("HOME").map(Into::into).unwrap_or_default()
}
