//! Random programs run under an intent, and every change they make out of scope is reported.
//!
//! Each program creates, writes, renames, exchanges, links, deletes, changes rights, moves folders, writes through mappings
//! and open descriptors, runs git and writes git's own files, partly in the background and after the call has ended.
//! The test compares the reports with a snapshot of the whole tree before and after, byte for byte. `STEERSMAN_LONG`
//! runs five hundred programs instead of thirty. Where the kernel can confine them, the same programs change nothing out of
//! scope at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

const INTENTS: &str = "\
intents:
  - id: INT-001
    name: Cart
    status: IN_PROGRESS
    owned_scope: [\"src/**\"]
";

/// The files of the workspace before a program runs.
const FILES: [&str; 12] = [
    "a.txt",
    "lib/b.txt",
    "lib/c.txt",
    "lib/deep/d.txt",
    "lib/deep/er/e.txt",
    "docs/f.md",
    "docs/g.md",
    "src/h.ts",
    "src/deep/i.ts",
    "build/kept.txt",
    ".env",
    "other/j.txt",
];

const FOLDERS: [&str; 8] = ["lib", "lib/deep", "lib/deep/er", "docs", "src", "src/deep", "other", "new"];

/// Git with an author.
const GIT: &str = "git -c user.name=a -c user.email=a@b";

/// Exchanges the places of two entries.
const EXCHANGE: &str = "import ctypes, sys; a, b = (it.encode() for it in sys.argv[1:]); \
    ctypes.CDLL(None).renameat2(-100, a, -100, b, 2)";

/// Files of git that only git writes.
const GIT_FILES: [&str; 4] = ["HEAD", "commondir", "objects/info/alternates", "hooks/post-checkout"];

/// A small generator of random numbers: the same program for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn new_name(&mut self) -> String {
        format!("{}/n{}", self.of(&FOLDERS), self.below(4))
    }

    /// One step of a program; one that cannot be done does nothing.
    fn step(&mut self) -> String {
        let (file, folder) = (self.of(&FILES), self.of(&FOLDERS));
        let name = self.new_name();
        let other = self.new_name();
        match self.below(46) {
            0 => format!("echo {} > {name}", self.below(9)),
            1 => format!("echo more >> {file}"),
            2 => format!("rm {file}"),
            3 => format!("mv {file} {name}"),
            4 => format!("mv {folder} {other}"),
            5 => format!("ln {file} {name}"),
            6 => format!("ln -s ../{file} {name}"),
            7 => format!("chmod 6{}0 {file}", self.below(8)),
            8 => format!("mkdir -p {name}/{}", self.below(3)),
            9 => format!("rm -r {folder}"),
            10 => format!("cp -p {file} {name}"),
            11 => format!("chmod 7{}5 {folder}", self.below(6)),
            12 => format!("cp -rp {folder} {other}"),
            // Times are set back; the content changes, or does not.
            13 => format!("echo back >> {file} && touch -d 2020-01-01 {file}"),
            14 => format!("touch -d 2020-01-01 {folder}"),
            // No other step opens it, which would block.
            15 => format!("mkfifo {name}p"),
            16 => format!("mkdir -p {name}/.git && echo x > {name}/.git/HEAD && echo y > {name}/y"),
            17 => format!("mkdir -p ignored/{n} && echo x > ignored/{n}/x", n = self.below(3)),
            18 => format!("mv {file} $(dirname {file})/UPPER && mv $(dirname {file})/UPPER {file}x"),
            19 => format!(
                "mkdir -p {name}/1/2/3/4/5/6/7/8/9/10/11/12 && echo x > {name}/1/2/3/4/5/6/7/8/9/10/11/12/f"
            ),
            20 => format!("echo x > \"$(printf '{folder}/n\\377o')\""),
            23 => format!("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('{name}s')\""),
            // A file that has no name while it is written.
            24 => format!(
                "python3 -c \"import os; f = os.open('{folder}', os.O_TMPFILE | os.O_RDWR); os.write(f, b'x'); os.link('/proc/self/fd/%d' % f, '{name}t', src_dir_fd=f)\""
            ),
            25 => format!(
                "git init -q {name} && git -C {name} -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git -c protocol.file.allow=always submodule add -q -f ./{name} {name}"
            ),
            // Without the intents nothing would be governed, and git removes records that it ignores: the loss is reported, not
            // each file.
            26 => format!("git sparse-checkout set .orchestration .ai {folder} {other}"),
            27 => format!("git rm -q --cached {file} && echo more >> {file}"),
            28 => format!("( sleep 0.02; echo late > {name} ) & wait"),
            29 => format!("truncate -s {}M {name}", 1 + self.below(3)),
            30 => {
                format!("python3 -c \"import os; os.setxattr('{file}', 'user.x', b'1')\" && echo x >> {file}")
            }
            31 => format!("echo x >> {file} && {GIT} commit -qam x"),
            32 => format!("{GIT} commit -q --allow-empty -m x && git switch -qc t{}", self.below(3)),
            33 => {
                format!("{GIT} commit -qam x && git worktree add -q -f src/w{n} -b w{n}", n = self.below(9))
            }
            34 => format!("echo x >> {file} && {GIT} stash -q && rm -f {other}"),
            35 => format!(
                "test -d .git/objects && mkdir -p .git/objects/info && echo /x > .git/{}",
                self.of(&GIT_FILES)
            ),
            36 => format!("{{ sleep 0.03; echo late >> {file}; }} > /dev/null & mv {folder} {other}; wait"),
            // Two files, or two folders, change places without a name in between.
            37 => format!("python3 -c \"{EXCHANGE}\" {file} {}", self.of(&FILES)),
            38 => format!("python3 -c \"{EXCHANGE}\" {folder} {}", self.of(&FOLDERS)),
            // Written through a mapping, which has no descriptor any more.
            39 => format!(
                "python3 -c \"import mmap; f = open('{file}', 'r+b'); m = mmap.mmap(f.fileno(), 0); f.close(); m[0] = 88\""
            ),
            // Written through a descriptor whose file was renamed meanwhile.
            40 => format!("( exec 5>> {file}; mv {file} {name}; echo more >&5 )"),
            // Written after the call has ended, through a descriptor that was open before.
            41 => format!("( exec 5>> {file}; sleep 0.3; echo late >&5 ) > /dev/null 2>&1 &"),
            42 => format!("( sleep 0.3; mv {folder} {other} ) > /dev/null 2>&1 &"),
            43 => format!(
                "git -C {folder} init -q && echo x > {folder}/.git/hooks/post-checkout && echo x > {folder}/x"
            ),
            44 => format!(
                "git worktree add -q -f {name}w -b w{} && echo x > {name}w/x && git -C {name}w add x",
                self.below(99)
            ),
            // A link takes the place of a file or a folder.
            21 => format!("rm {file} && ln -s /dev/null {file}"),
            22 => format!("mv {folder} {other} && ln -s $(pwd)/{other} {folder}"),
            _ => format!("cp {file} {file}.new && mv {file}.new {file}"),
        }
    }
}

/// What is at a path.
#[derive(Debug, PartialEq, Eq)]
enum Thing {
    Folder(u32),
    File(u32, Vec<u8>),
    Link(String),
    Other,
}

/// Reads everything below a folder that is not steersman's or git's own. Entries that vanish meanwhile do not count.
fn snapshot(root: &Path) -> BTreeMap<String, Thing> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![String::new()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries {
            // steersman names an entry that is not UTF-8 by what can be read of it.
            let raw = entry.unwrap().file_name();
            let name = raw.to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if path == ".git" {
                let files = GIT_FILES.map(|file| (format!(".git/{file}"), root.join(".git").join(file)));
                let texts = files.map(|(path, file)| Some((path, fs::read(file).ok()?)));
                // Git itself moves the checked-out branch, never to this.
                let texts = texts.into_iter().flatten().filter(|(_, text)| text == b"/x\n");
                found.extend(texts.map(|(path, text)| (path, Thing::File(0, text))));
                continue;
            }
            if [".ai", ".orchestration"].contains(&path.as_str()) {
                continue;
            }
            let place = root.join(&folder).join(&raw);
            let Ok(meta) = fs::symlink_metadata(&place) else { continue };
            let mode = meta.permissions().mode();
            let thing = if meta.is_symlink() {
                Thing::Link(fs::read_link(&place).unwrap().display().to_string())
            } else if meta.is_dir() {
                waiting.push(path.clone());
                Thing::Folder(mode)
            } else if meta.is_file() {
                Thing::File(mode, fs::read(&place).unwrap())
            } else {
                Thing::Other
            };
            found.insert(path, thing);
        }
    }
    found
}

/// Returns whether a report covers a changed path: it names the path, or a folder from which it is gone.
fn is_reported(path: &str, is_gone: bool, reports: &BTreeSet<String>) -> bool {
    if path.starts_with(".git/") {
        return reports.contains(path);
    }
    // The files of a nested repository are reported with the folder that contains it.
    if let Some((around, _)) = path.split_once("/.git") {
        return reports.contains(&format!("{around}/"));
    }
    let above = path.match_indices('/').map(|(at, _)| &path[..at]);
    reports.contains(path)
        || reports.contains(&format!("{path}/"))
        || (is_gone && above.clone().any(|folder| reports.contains(&format!("{folder}/"))))
        || (is_gone && above.clone().any(|folder| reports.contains(folder)))
        || (is_gone && reports.contains("./"))
}

/// Returns whether git wrote a file of a linked checkout, which is no change of the program.
fn is_of_checkout(path: &str) -> bool {
    let mut folders = path.split('/');
    folders.any(|it| it.len() == 3 && it.starts_with('n') && it.ends_with('w')) && !path.ends_with("w/x")
}

/// A program of random steps in a workspace of its own.
struct Program {
    sandbox: Sandbox,
    /// The steps, one per line.
    text: String,
    /// One more step, which may come after the program has ended.
    late: String,
    has_background: bool,
}

/// Writes the workspace and the program of a seed.
fn program(seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..8 {
        random.below(2);
    }
    let sandbox = sandbox();
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 20_000, "Stop": 20_000}}));
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    sandbox.write(".gitignore", "build/\nignored/\n");
    sandbox.write(
        ".ai/tmp/intent.json",
        r#"{"version":1,"intentId":"INT-001","since":"2026-01-01T00:00:00.000Z"}"#,
    );
    for file in FILES {
        sandbox.write(file, format!("{file}\n"));
    }
    if random.below(2) == 0 {
        for args in [&["init", "-q"][..], &["add", "-f", "-A"]] {
            assert!(Command::new("git").args(args).current_dir(sandbox.root()).status().unwrap().success());
        }
    }
    let mut text = String::new();
    let n_steps = 1 + random.below(5);
    for _ in 0..n_steps {
        writeln!(text, "{} 2>/dev/null", random.step()).unwrap();
    }
    let has_background = random.below(3) == 0;
    let late = random.step();
    Program { sandbox, text, late, has_background }
}

/// Waits until the jobs that a program left in the background have ended.
fn wait_for_left_jobs(program: &str) {
    if program.contains("sleep 0.3") {
        std::thread::sleep(Duration::from_millis(900));
    }
}

/// Runs one program; returns the changes out of scope that were not reported.
fn run(seed: u64) -> Result<(), String> {
    let Program { sandbox, text: program, late, has_background } = program(seed);
    let root = sandbox.root();
    // File systems count time in steps; what was written before must be older.
    std::thread::sleep(Duration::from_millis(20));
    let before = snapshot(&root);
    let input = json!({"command": "make everything"});
    let payload = |event: &str| {
        json!({
            "session_id": "s", "cwd": root, "hook_event_name": event, "tool_use_id": "1",
            "tool_name": "Bash", "tool_input": input, "tool_response": {},
        })
    };
    let answer = sandbox.ask("claude-code", "PreToolUse", &payload("PreToolUse"));
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], Value::Null, "{answer}");
    let shell = |text: &str| {
        Command::new("sh").arg("-c").arg(text).stderr(Stdio::null()).current_dir(&root).status().unwrap()
    };
    std::thread::sleep(Duration::from_millis(20));
    shell(&program);
    sandbox.ask("claude-code", "PostToolUse", &payload("PostToolUse"));
    if has_background {
        std::thread::sleep(Duration::from_millis(20));
        shell(&format!("{late} 2>/dev/null"));
    }
    wait_for_left_jobs(&program);
    if has_background {
        wait_for_left_jobs(&late);
    }
    let stop = json!({"session_id": "s", "cwd": root, "hook_event_name": "Stop"});
    sandbox.ask("claude-code", "Stop", &stop);
    let after = snapshot(&root);
    let drifts = sandbox.session().events_of("SCOPE_DRIFT");
    let name = |file: &Value| file["file"].as_str().unwrap().to_owned();
    let reports: BTreeSet<String> = drifts
        .iter()
        .flat_map(|drift| drift["data"]["files"].as_array().unwrap().iter().map(name).collect::<Vec<_>>())
        .collect();
    let is_counted = drifts.iter().any(|drift| drift["data"]["more"].as_u64().unwrap_or(0) > 0);
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let unreported: Vec<&String> = paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path))
        .filter(|path| !path.starts_with("src/") && path.as_str() != "src")
        // Git ignores it, unless it tracks the file.
        .filter(|path| !["build", "ignored"].contains(&path.split('/').next().unwrap()))
        .filter(|path| !is_of_checkout(path))
        .filter(|path| !is_counted && !is_reported(path, !after.contains_key(*path), &reports))
        .collect();
    if unreported.is_empty() {
        return Ok(());
    }
    let late = if has_background { late } else { String::new() };
    Err(format!("seed {seed}: {unreported:?} not in {reports:?} of\n{program}later: {late}"))
}

#[test]
fn every_change_of_a_random_program_is_reported() {
    let n_programs = testkit::in_the_long_run(500, 30) as u64;
    let first = std::env::var("STEERSMAN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let failed: Vec<String> = (first..first + n_programs).filter_map(|seed| run(seed).err()).collect();
    assert!(failed.is_empty(), "{} of {n_programs} programs:\n{}", failed.len(), failed.join("\n"));
}

/// Runs one program in a shell, confined to `src` or not. Returns the paths out of scope that changed, and the program.
#[cfg(target_os = "linux")]
fn changed_by(seed: u64, is_confined: bool) -> (Vec<String>, String) {
    let Program { sandbox, text, late, .. } = program(seed);
    let root = sandbox.root();
    let text = format!("{text}{late} 2>/dev/null\n");
    let before = snapshot(&root);
    let mut command = if is_confined {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steersman"));
        command.args(["run", "--write", "src", "--", "sh"]);
        command
    } else {
        Command::new("sh")
    };
    command.args(["-c", &text]).current_dir(&root).env("HOME", sandbox.elsewhere());
    command.env_remove("CLAUDECODE").env_remove("XDG_STATE_HOME").stdout(Stdio::null()).stderr(Stdio::null());
    let end = command.status().unwrap();
    assert!(!is_confined || end.code() != Some(3), "seed {seed} was not confined");
    wait_for_left_jobs(&text);
    // A helper process removes the places that steersman made for mounts after the command has ended.
    let deadline = std::time::Instant::now() + Duration::from_secs(5);
    loop {
        let changed = out_of_scope(&before, &snapshot(&root));
        if !is_confined || changed.is_empty() || std::time::Instant::now() > deadline {
            return (changed, text);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the paths out of scope that differ.
#[cfg(target_os = "linux")]
fn out_of_scope(before: &BTreeMap<String, Thing>, after: &BTreeMap<String, Thing>) -> Vec<String> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
    // Git ignores the folder `build`, which tools fill.
    let is_out_of_scope = |path: &&String| !["src", "build"].contains(&path.split('/').next().unwrap());
    changed.filter(is_out_of_scope).cloned().collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_confined_random_program_changes_nothing_out_of_scope() {
    let n_programs = testkit::in_the_long_run(500, 30) as u64;
    let first = std::env::var("STEERSMAN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut n_working = 0;
    for seed in first..first + n_programs {
        n_working += u64::from(!changed_by(seed, false).0.is_empty());
        let (changed, text) = changed_by(seed, true);
        assert!(changed.is_empty(), "seed {seed}: {changed:?} by\n{text}");
    }
    assert!(
        n_working * 2 > n_programs,
        "only {n_working} of {n_programs} programs change something unconfined"
    );
}
