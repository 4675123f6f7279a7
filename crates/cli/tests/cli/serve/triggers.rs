//! Triggers other than saves: new, deleted and renamed files, and schedules. And what a runner is given.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

fn sorted(project: &Project, file: &str) -> Vec<String> {
    let mut lines: Vec<String> = project.read(file).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn files_that_appear_disappear_or_are_renamed_trigger() {
    let mut hooks = Vec::new();
    for (id, trigger) in
        [("created", "onDidCreateFiles"), ("deleted", "onDidDeleteFiles"), ("renamed", "onDidRenameFiles")]
    {
        let mut it = hook(id, trigger, "cat >> ../elsewhere/seen");
        it["prompt"] = format!("{id} {{fileName}} {{oldFilePath}}\n").into();
        it["pattern"] = json!(["src/**", "!*.log"]);
        hooks.push(it);
    }
    let project = Project::new(&json!(hooks));
    for name in ["kept.txt", "gone.txt", "old.txt", "folder/a.txt", "folder/b.txt"] {
        project.sandbox.write(format!("src/{name}"), "1");
    }
    let _server = project.serve();
    let at = |name: &str| project.sandbox.path(format!("src/{name}"));
    project.sandbox.write("src/new.txt", "1");
    project.sandbox.write("src/new.log", "1");
    // A save, also by renaming, is neither.
    project.sandbox.write("src/kept.txt", "2");
    project.sandbox.write("src/.kept.txt.tmp", "3");
    fs::rename(at(".kept.txt.tmp"), at("kept.txt")).unwrap();
    fs::remove_file(at("gone.txt")).unwrap();
    fs::rename(at("old.txt"), at("renamed.txt")).unwrap();
    fs::rename(at("folder"), at("moved")).unwrap();
    let old = |name: &str| at(name).display().to_string();
    let expected = [
        "created new.txt ".to_owned(),
        "deleted gone.txt ".to_owned(),
        format!("renamed a.txt {}", old("folder/a.txt")),
        format!("renamed b.txt {}", old("folder/b.txt")),
        format!("renamed renamed.txt {}", old("old.txt")),
    ];
    until("all are seen", || sorted(&project, "../elsewhere/seen") == expected);
    fs::remove_dir_all(at("moved")).unwrap();
    until("files of a removed folder are gone", || sorted(&project, "../elsewhere/seen").len() == 7);
    assert_eq!(project.runs(&["--grep", "kept"]).len(), 0);
}

#[test]
fn switching_a_branch_creates_and_deletes_nothing() {
    let mut hooks = Vec::new();
    for (id, trigger) in [("created", "onDidCreateFiles"), ("deleted", "onDidDeleteFiles")] {
        let mut it = hook(id, trigger, "cat >> ../elsewhere/seen");
        it["prompt"] = format!("{id} {{fileName}}\n").into();
        hooks.push(it);
    }
    let project = Project::new(&json!(hooks));
    fs::remove_dir_all(project.sandbox.path(".git")).unwrap();
    project.git(&["init", "-q"]);
    project.sandbox.write("a.txt", "1");
    project.git(&["add", "a.txt"]);
    project.git(&["commit", "-qm", "one"]);
    project.git(&["checkout", "-qb", "side"]);
    project.git(&["rm", "-q", "a.txt"]);
    project.sandbox.write("b.txt", "1");
    project.git(&["add", "b.txt"]);
    project.git(&["commit", "-qm", "two"]);
    let _server = project.serve();
    project.git(&["checkout", "-q", "main"]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    project.sandbox.write("mine.txt", "1");
    until("a person's file is seen", || project.read("../elsewhere/seen").contains("created mine.txt"));
    assert_eq!(project.read("../elsewhere/seen"), "created mine.txt\n");
}

#[test]
fn a_schedule_goes_on_across_servers_and_kills() {
    let mut every = hook("tick", "schedule", "cat >> ../elsewhere/ticks; echo >> ../elsewhere/ticks");
    every["prompt"] = "{dueTime}".into();
    every["every"] = "1s".into();
    let mut cron = hook("cron", "schedule", "echo ran >> ../elsewhere/cron");
    cron["prompt"] = "now".into();
    cron["cron"] = "* * * * * *".into();
    let project = Project::new(&json!([every, cron]));
    let n_ticks = || project.read("../elsewhere/ticks").lines().count();
    let server = project.serve();
    until("it ticked three times", || {
        n_ticks() >= 3 && project.read("../elsewhere/cron").lines().count() >= 3
    });
    server.kill();
    let n = n_ticks();
    let server = project.serve();
    until("it goes on", || n_ticks() >= n + 2);
    assert_eq!(server.stop(), Some(0));
    // No time has two runs.
    let mut due = sorted(&project, "../elsewhere/ticks");
    let n_all = due.len();
    due.dedup();
    assert_eq!(due.len(), n_all);
    let told = project.run(&["emit", "schedule"]);
    assert!(told.0 == 1 && told.2.contains("only a server triggers this"), "{}", told.2);
    for (key, value, message) in [
        ("every", json!("soon"), "is not an interval"),
        ("cron", json!("61 * * * *"), "is not a cron expression"),
        ("pattern", json!("x"), "a schedule needs `every` or `cron`"),
    ] {
        let mut bad = hook("bad", "schedule", "true");
        bad[key] = value;
        project.sandbox.write(".akira/hooks.json", json!({"hooks": [bad]}).to_string());
        let (code, _, stderr) = project.run(&["automation", "validate"]);
        assert!(code == 1 && stderr.contains(message), "{stderr}");
    }
}

#[test]
fn an_agent_program_gets_its_model_mode_and_arguments() {
    let mut ask = hook("ask", "x", "");
    ask["prompt"] = "hello".into();
    ask["runner"] =
        json!({"type": "claude", "model": "haiku", "permissionMode": "plan", "args": ["--max-turns", "3"]});
    let project = Project::new(&json!([ask]));
    let bin = project.sandbox.elsewhere().join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("claude"), "#!/bin/sh\necho \"$@\"; cat\n").unwrap();
    fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let output =
        project.command().args(["automation", "run", "ask", "--json"]).env("PATH", path).output().unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        record["logs"],
        "-p --output-format text --model haiku --permission-mode plan --max-turns 3\nhello"
    );
}

#[test]
fn environment_variables_reach_headers_and_commands_and_no_file() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 4096];
        let n = stream.read(&mut head).unwrap();
        let head = String::from_utf8_lossy(&head[..n]).into_owned();
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: 21\r\nConnection: close\r\n\r\nyou sent open sesame!"
        );
        head
    });
    let mut ask = hook("ask", "x", "");
    ask["prompt"] = "hello".into();
    ask["runner"] = json!({"type": "http", "url": url, "headers": {"X-Door": "${env:DOOR}"}});
    let mut call = hook("call", "x", "");
    call["prompt"] = "${env:DOOR} of {fileName}".into();
    call["runner"] = json!({"type": "command", "command": ["sh", "-c", "printf '%s' \"$1\" > ../elsewhere/arg; echo \"$1\"; cat; echo ${DOOR}", "sh", "${env:DOOR}"]});
    let mut unset = hook("unset", "x", "");
    unset["runner"] = json!({"type": "command", "command": ["echo", "${env:NOT_SET}"]});
    let project = Project::new(&json!([ask, call, unset]));
    let run = |id: &str| -> Value {
        let mut command = project.command();
        command
            .args(["automation", "run", id, "--file", "${env:DOOR}.txt", "--json"])
            .env("DOOR", "open sesame");
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(run("ask")["logs"], "HTTP 200\nyou sent [REDACTED]!");
    assert!(server.join().unwrap().to_lowercase().contains("x-door: open sesame"));
    let called = run("call");
    // A prompt is data, and so is a file name: neither is expanded.
    assert_eq!(called["logs"], "[REDACTED]\n${env:DOOR} of ${env:DOOR}.txt[REDACTED]\n");
    assert_eq!(project.read("../elsewhere/arg"), "open sesame");
    assert_eq!(run("unset")["error"]["code"], "NO_VARIABLE");
    for entry in fs::read_dir(project.sandbox.path(".ai/tmp/automation")).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains("sesame"), "{}", path.display());
    }
}

#[test]
fn a_folder_with_akira_is_a_workspace() {
    let project = Project::new(&json!([hook("outer", "x", "true")]));
    let inner = json!({"hooks": [hook("inner", "x", "true")]}).to_string();
    project.sandbox.write("part/.akira/hooks.json", inner);
    project.sandbox.write("part/src/a.rs", "");
    let listed = |folder: &str| {
        let mut command = project.command();
        command.current_dir(project.sandbox.path(folder)).args(["automation", "list", "--json"]);
        let output: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        output["automations"][0]["id"].clone()
    };
    assert_eq!([listed("part/src"), listed("part"), listed(".")], ["inner", "inner", "outer"]);
}
