//! A confined command is the same process with the same streams, signals and codes.

use std::fs;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Stdio;

use crate::workspace::{Workspace, said};

#[test]
fn exit_codes_and_signals_are_those_of_the_command() {
    let workspace = Workspace::new();
    for (line, code, signal) in [
        ("exit 0", Some(0), None),
        ("exit 7", Some(7), None),
        ("kill -TERM $$", None, Some(15)),
        ("kill -KILL $$", None, Some(9)),
    ] {
        let status = workspace.line("--write src", line).status;
        assert_eq!((status.code(), status.signal()), (code, signal), "{line}");
    }
    let missing = workspace.run("--write src").arg("no-such-program").output().unwrap();
    assert_eq!(missing.status.code(), Some(127), "{}", said(&missing));
    workspace.write("src/not-executable", "x");
    assert_eq!(
        workspace.run("--write src").arg("./src/not-executable").output().unwrap().status.code(),
        Some(126)
    );
    assert_eq!(
        workspace
            .program(env!("CARGO_BIN_EXE_steersman"))
            .args(["run", "make"])
            .output()
            .unwrap()
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn the_process_its_group_folder_environment_and_streams_stay() {
    let workspace = Workspace::new();
    let line = "echo $$; ps -o pgid= -p $$; pwd; echo $MARK; cat; echo wrong >&2; exit 3";
    let mut command = workspace.run("--write src");
    command
        .args(["sh", "-c", line])
        .env("MARK", "kept")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let mut child = command.spawn().unwrap();
    let pid = child.id();
    child.stdin.take().unwrap().write_all(b"input\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let (pid, root) = (pid.to_string(), workspace.root().display().to_string());
    assert_eq!(lines, [pid.as_str(), pid.as_str(), root.as_str(), "kept", "input"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "wrong\n");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_broken_pipe_ends_the_command_as_it_would_without_steersman() {
    let workspace = Workspace::new();
    let quick = format!("{} run --write src -- yes | head -n 1", env!("CARGO_BIN_EXE_steersman"));
    let output = workspace
        .program("bash")
        .args(["-c", &format!("{quick}; echo ${{PIPESTATUS[0]}}")])
        .output()
        .unwrap();
    assert_eq!(said(&output), "y\n141\n");
}

#[test]
fn a_file_as_stdin_keeps_its_offset_and_stays_read_only() {
    let workspace = Workspace::new();
    workspace.write("out/input", "first\nsecond\n");
    let line = format!(
        "exec < out/input; read x; {} run --write src -- sh -c 'cat; echo attacked >> /dev/stdin'",
        env!("CARGO_BIN_EXE_steersman")
    );
    let output = workspace.program("bash").args(["-c", &line]).output().unwrap();
    assert!(said(&output).starts_with("second\n"), "{}", said(&output));
    assert_eq!(workspace.read("out/input"), "first\nsecond\n");
}

#[test]
fn only_the_scope_the_temporary_folder_and_ignored_tool_folders_are_writable() {
    let workspace = Workspace::new();
    workspace.write(".gitignore", "target\n.env\n");
    workspace.write(".env", "KEY=1\n");
    workspace.write("Cargo.toml", "");
    let tries = "for f in src/a target/a out/a top .env ../home/.profile .ai/x; do (echo x > $f) 2>/dev/null && echo $f; done; echo x > /tmp/$$ && rm /tmp/$$ && echo temporary; echo x > /dev/shm/x && echo memory";
    let output = workspace.line("--write src", tries);
    assert_eq!(said(&output), "src/a\ntarget/a\ntemporary\nmemory\n");
    let read_only = workspace.line("--write src --read-only src/a", "echo y > src/a; echo y > src/b");
    assert!(said(&read_only).contains("Read-only file system"), "{}", said(&read_only));
    assert_eq!((workspace.read("src/a"), workspace.read("src/b")), ("x\n".to_owned(), "y\n".to_owned()));
}

#[test]
fn folders_made_for_a_command_are_removed_after_it_unless_it_filled_them() {
    let workspace = Workspace::new();
    let output =
        workspace.line("--write src --write new/deep --write other", "ls -A src; echo x > new/deep/file");
    assert!(said(&output).contains(".claude"), "{}", said(&output));
    // The helper waits for the end of the command, and then removes them.
    for _ in 0..600 {
        if !workspace.exists("src/.claude") && !workspace.exists("other") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let left: Vec<_> = fs::read_dir(workspace.root().join("src"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(left.is_empty() && !workspace.exists("other"), "{left:?}");
    assert_eq!(workspace.read("new/deep/file"), "x\n");
}

#[test]
fn a_program_that_waits_for_all_its_children_does_not_wait_for_ours() {
    let workspace = Workspace::new();
    let wait = "import os\ntry:\n  while True: os.wait()\nexcept ChildProcessError: print('no children')";
    let output = workspace.run("--write src").args(["python3", "-c", wait]).output().unwrap();
    assert_eq!(said(&output), "no children\n");
}

/// The kernel takes the mounts down when the last holder lets go; a caller must not wait for that.
#[test]
fn a_helper_holds_the_mounts_of_a_command_and_ends_with_it() {
    let workspace = Workspace::new();
    let mut command = workspace
        .run("--write src")
        .args(["sh", "-c", "echo x > src/started; exec sleep 600"])
        .spawn()
        .unwrap();
    while !workspace.exists("src/started") {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = command.id();
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    let helper = format!("/proc/{}", children.trim());
    let held: Vec<_> = fs::read_dir(format!("{helper}/fd"))
        .unwrap()
        .flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .map(|path| path.display().to_string())
        .collect();
    let is_socket = |path: &&String| path.starts_with("socket:");
    assert_eq!(held.iter().filter(is_socket).count(), 1, "{held:?}");
    command.kill().unwrap();
    command.wait().unwrap();
    for _ in 0..600 {
        if !std::path::Path::new(&helper).exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{helper} outlives its command");
}

#[test]
fn sixty_four_commands_run_at_once_and_a_kill_leaves_no_mount() {
    let workspace = Workspace::new();
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap().lines().count();
    let before = mounts();
    let start = |n: usize| {
        workspace
            .run("--write src")
            .args(["sh", "-c", &format!("echo {n} > src/{n}; exec sleep 600")])
            .spawn()
            .unwrap()
    };
    let mut children: Vec<_> = (0..64).map(start).collect();
    for (n, child) in children.iter_mut().enumerate() {
        while !workspace.exists(format!("src/{n}")) {
            assert!(child.try_wait().unwrap().is_none(), "command {n} ended");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // Others, at arbitrary moments of their start.
    for n in 0..32 {
        let mut child = start(100 + n);
        std::thread::sleep(std::time::Duration::from_micros(u64::try_from(n).unwrap() * 150));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(mounts(), before);
    assert!(workspace.line("--write src", "echo after > src/after").status.success());
}

#[test]
fn the_scope_of_an_intent_is_the_scope_of_the_command() {
    let workspace = Workspace::new();
    workspace.write("src/a.rs", "");
    workspace.write(
        ".orchestration/active_intents.yaml",
        "intents:\n  - id: INT-001\n    name: x\n    status: IN_PROGRESS\n    owned_scope: ['src/**', 'gen/**']\n",
    );
    let tries =
        "for f in src/a.rs gen/new out/a .orchestration/x; do (echo x > $f) 2>/dev/null && echo $f; done";
    assert_eq!(said(&workspace.line("--intent INT-001", tries)), "src/a.rs\ngen/new\n");
    let unknown = workspace.line("--intent INT-009", "true");
    assert_eq!(unknown.status.code(), Some(1), "{}", said(&unknown));
    let undecided = workspace.line("", "true");
    assert_eq!(undecided.status.code(), Some(1), "{}", said(&undecided));
    // Inside a session, no option widens the scope.
    let selected = workspace
        .program(env!("CARGO_BIN_EXE_steersman"))
        .args(["intent", "select", "INT-001"])
        .output()
        .unwrap();
    assert!(selected.status.success(), "{}", said(&selected));
    let wider = workspace.run("--write out").args(["true"]).env("CLAUDECODE", "1").output().unwrap();
    assert_eq!(wider.status.code(), Some(1), "{}", said(&wider));
    let narrower = workspace.run("--write src").args(["true"]).env("CLAUDECODE", "1").output().unwrap();
    assert!(narrower.status.success(), "{}", said(&narrower));
}

#[test]
fn governor_state_is_out_of_reach_of_a_command_whose_scope_is_the_workspace() {
    let workspace = Workspace::new();
    workspace.write(".ai/tmp/a3f0c812/state.json", "{}");
    workspace.write(".claude/settings.json", "{}");
    let binary = env!("CARGO_BIN_EXE_steersman");
    let tries = format!(
        "echo x > .ai/tmp/a3f0c812/state.json; echo x > .ai/hooks; echo x > .claude/settings.json; mkdir .codex/x; {binary} session allow a3f0c812 x; {binary} intent new --name x; echo ok > made"
    );
    let output = workspace.line("--write .", &tries);
    assert_eq!(
        (workspace.read(".ai/tmp/a3f0c812/state.json"), workspace.read(".claude/settings.json")),
        ("{}".to_owned(), "{}".to_owned())
    );
    assert!(
        !workspace.exists(".orchestration/active_intents.yaml") && workspace.read("made") == "ok\n",
        "{}",
        said(&output)
    );
}

#[test]
fn without_the_network_a_server_of_the_command_itself_can_be_reached() {
    let workspace = Workspace::new();
    let line = "python3 -m http.server 8099 --bind 127.0.0.1 >/dev/null 2>&1 & for i in 1 2 3 4 5 6 7 8 9; do sleep 0.3; curl -sf http://127.0.0.1:8099/ >/dev/null && echo reached && break; done; kill $!";
    let output = workspace.line("--write src --no-network", line);
    assert!(said(&output).contains("reached"), "{}", said(&output));
}

/// A command that is confined to a part of the workspace must not widen what the next one may write.
#[test]
fn a_scope_is_not_opened_over_a_link_that_an_earlier_command_left() {
    let workspace = Workspace::new();
    let planted = "ln -s ../out src/gen && ln -s ../.. src/up && ln -s \"$PWD/out\" /tmp/$LINK";
    let link = format!("planted-{}", std::process::id());
    let done = workspace.run("--write src").args(["sh", "-c", planted]).env("LINK", &link).output().unwrap();
    assert!(done.status.success(), "{}", said(&done));
    for scope in ["src/gen", "src/gen/", "src/up/w/out", &format!("/tmp/{link}"), &format!("/tmp/{link}/new")]
    {
        let done = workspace.line(&format!("--write {scope}"), "touch out/made");
        assert_eq!(done.status.code(), Some(1), "{scope}: {}", said(&done));
        assert!(said(&done).contains("it leads over a link to"), "{scope}: {}", said(&done));
        assert!(!workspace.exists("out/made"), "{scope}");
    }
    fs::remove_file(format!("/tmp/{link}")).unwrap();
    // Links of the user outside are followed.
    std::os::unix::fs::symlink(workspace.root(), workspace.home().join("project")).unwrap();
    let scope = workspace.home().join("project/src");
    let done = workspace.line(&format!("--write {}", scope.display()), "touch src/made");
    assert!(done.status.success() && workspace.exists("src/made"), "{}", said(&done));
}
