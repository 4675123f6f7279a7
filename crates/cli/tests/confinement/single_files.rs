//! A scope of one file works with tools that replace it by a rename.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

use crate::workspace::{Workspace, said};

#[test]
fn tools_that_replace_a_file_work_on_a_scope_of_just_that_file() {
    let workspace = Workspace::new();
    workspace.write("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.write("src/lib.rs", "");
    workspace.write("dep/Cargo.toml", "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.write("dep/src/lib.rs", "");
    workspace.write("package.json", "{\"name\":\"x\",\"version\":\"1.0.0\"}\n");
    for (file, line, expected) in [
        ("package.json", "sed -i 's/1.0.0/2.0.0/' package.json", "2.0.0"),
        ("package.json", "perl -i -pe 's/2.0.0/3.0.0/' package.json", "3.0.0"),
        ("package.json", "npm version --no-git-tag-version 4.0.0", "4.0.0"),
        ("Cargo.toml", "sed -i 's/0.1.0/0.2.0/' Cargo.toml", "0.2.0"),
    ] {
        let output = workspace.line(&format!("--write {file}"), line);
        assert!(
            output.status.success() && workspace.read(file).contains(expected),
            "{line}: {}",
            said(&output)
        );
    }
    let output = workspace
        .run("--write Cargo.toml")
        .args(["cargo", "add", "--offline", "--path", "dep"])
        .env("HOME", std::env::var_os("HOME").unwrap())
        .output()
        .unwrap();
    assert!(workspace.read("Cargo.toml").contains("dep"), "{}", said(&output));
    // The other files of the folder stay.
    let output = workspace.line(
        "--write package.json",
        "echo x >> Cargo.toml; rm Cargo.toml; mv src away; echo x > src/lib.rs; mkdir .claude/x; echo x > .mcp.json; true",
    );
    assert!(
        workspace.read("Cargo.toml").contains("0.2.0")
            && workspace.exists("src/lib.rs")
            && workspace.read("src/lib.rs").is_empty(),
        "{}",
        said(&output)
    );
}

#[test]
fn a_file_that_does_not_exist_yet_can_be_made() {
    let workspace = Workspace::new();
    let output = workspace.line("--write out/report.txt", "echo x > out/report.txt");
    assert_eq!(workspace.read("out/report.txt"), "x\n", "{}", said(&output));
}

/// A workspace whose root has more entries than are shut one by one.
fn crowded() -> Workspace {
    let workspace = Workspace::new();
    for n in 0..40 {
        workspace.write(&format!("file{n}"), "old\n");
    }
    workspace
}

#[test]
fn a_scope_of_one_file_among_many_works_with_tools_that_replace_it() {
    let workspace = crowded();
    workspace.write(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    workspace.write("dep/Cargo.toml", "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.write("dep/src/lib.rs", "");
    workspace.write("src/lib.rs", "");
    workspace.write("package.json", "{\"name\":\"x\",\"version\":\"1.0.0\"}\n");
    for (file, line, expected) in [
        ("package.json", "sed -i 's/1.0.0/2.0.0/' package.json", "2.0.0"),
        ("package.json", "perl -i -pe 's/2.0.0/3.0.0/' package.json", "3.0.0"),
        ("package.json", "npm version --no-git-tag-version 4.0.0", "4.0.0"),
        ("package.json", "cp package.json n && mv n package.json && echo >> package.json", "4.0.0"),
        ("new.txt", "echo made > new.tmp && mv new.tmp new.txt", "made"),
    ] {
        let output = workspace.line(&format!("--write {file}"), line);
        assert!(
            output.status.success() && workspace.read(file).contains(expected),
            "{line}: {}",
            said(&output)
        );
    }
    let output = workspace
        .run("--write Cargo.toml")
        .args(["cargo", "add", "--offline", "--path", "dep"])
        .env("HOME", std::env::var_os("HOME").unwrap())
        .env("XDG_STATE_HOME", workspace.home())
        .output()
        .unwrap();
    assert!(workspace.read("Cargo.toml").contains("dep"), "{}", said(&output));
    // A removed file is removed, with the command's own exit code.
    let output = workspace.line("--write package.json", "rm package.json; exit 5");
    assert_eq!(
        (output.status.code(), workspace.exists("package.json")),
        (Some(5), false),
        "{}",
        said(&output)
    );
}

#[test]
fn other_changes_beside_a_file_in_scope_are_dropped_and_named() {
    let workspace = crowded();
    std::os::unix::fs::symlink("file2", workspace.root().join("link")).unwrap();
    let line = "echo new > file1; echo new > file2; rm file3; echo x > made; echo x > out/deep; echo x > src/ok; \
                mkdir -p .claude && echo '{}' > .claude/settings.json; echo x > link";
    let output = workspace.line("--write file1 src", line);
    assert!(output.status.success(), "{}", said(&output));
    let read = |path| workspace.read(path);
    assert_eq!(
        [read("file1"), read("file2"), read("file3"), read("src/ok")],
        ["new\n", "old\n", "old\n", "x\n"]
    );
    for gone in ["made", "out/deep", ".claude"] {
        assert!(!workspace.exists(gone), "{gone}");
    }
    for named in ["file2", "file3", "made", "out/deep", ".claude/settings.json"] {
        let message =
            format!("{}` is out of scope: dropped the change", workspace.root().join(named).display());
        assert!(said(&output).contains(&message), "{named}: {}", said(&output));
    }
    let left = std::fs::read_dir(workspace.home().join(".local/state/steersman/overlays")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn a_file_that_somebody_else_changed_meanwhile_is_not_overwritten() {
    let workspace = crowded();
    let mut child = workspace
        .run("--write file1")
        .args(["sh", "-c", "echo confined > file1; echo ready; read x; exit 0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    assert_eq!(workspace.read("file1"), "old\n", "nothing is merged while the command runs");
    workspace.write("file1", "by another process\n");
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(workspace.read("file1"), "by another process\n");
    assert!(said(&output).contains("cannot merge"), "{}", said(&output));
}

#[test]
fn files_are_merged_when_the_last_process_of_the_command_has_ended() {
    let workspace = crowded();
    let line = "echo new > file1; (while [ ! -e src/stop ]; do sleep 0.05; done) > /dev/null 2>&1 & exit 0";
    let output = workspace.line("--write file1 src", line);
    assert!(said(&output).contains("still run"), "{}", said(&output));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(workspace.read("file1"), "old\n");
    workspace.write("src/stop", "");
    for _ in 0..600 {
        if workspace.read("file1") == "new\n" {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("not merged: {}", workspace.read("file1"));
}

#[test]
fn a_command_on_an_overlay_gets_signals_and_ends_as_it_ends() {
    let workspace = crowded();
    for (line, code, signal) in
        [("exit 7", Some(7), None), ("kill -TERM $$", None, Some(15)), ("kill -KILL $$", None, Some(9))]
    {
        let status = workspace.line("--write file1", line).status;
        assert_eq!((status.code(), status.signal()), (code, signal), "{line}");
    }
    let mut child = workspace
        .run("--write file1")
        .args([
            "sh",
            "-c",
            "trap 'echo caught > file1; exit 4' USR1; echo ready; while :; do sleep 0.05; done",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    assert!(workspace.program("kill").args(["-USR1", &child.id().to_string()]).status().unwrap().success());
    assert_eq!((child.wait().unwrap().code(), workspace.read("file1").as_str()), (Some(4), "caught\n"));
    // Killed with its parent: nothing is merged, no mount stays, and the next command cleans up.
    let mut child = workspace
        .run("--write file2")
        .args(["sh", "-c", "echo lost > file2; echo ready; exec sleep 600"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(workspace.read("file2"), "old\n");
    for _ in 0..600 {
        assert!(workspace.line("--write file1", "true").status.success());
        let overlays = workspace.home().join(".local/state/steersman/overlays");
        if std::fs::read_dir(overlays).unwrap().count() == 0 {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("layers are left");
}
