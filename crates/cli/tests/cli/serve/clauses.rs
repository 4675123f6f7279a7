//! Single clauses of the specification, each with a server or a command.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

#[test]
fn a_repo_root_that_names_no_repository_is_an_error_and_only_its_automation_is_off() {
    let mut hooks = vec![hook("go", "x", "echo ran >> ran")];
    for (id, root) in [("none", "no/such/place"), ("below", "src"), ("good", ".")] {
        let mut it = hook(id, "gitCommit", "echo ran >> ran");
        it["prompt"] = "{commitHash}".into();
        it["allowGit"] = true.into();
        it["repoRoot"] = root.into();
        hooks.push(it);
    }
    let project = Project::new(&json!(hooks));
    fs::remove_dir_all(project.sandbox.path(".git")).unwrap();
    project.git(&["init", "-q"]);
    fs::create_dir_all(project.sandbox.path("src")).unwrap();
    let (code, _, stderr) = project.run(&["automation", "validate"]);
    assert_eq!(code, 1, "{stderr}");
    for text in ["no/such/place is not a git repository", "src is a folder in a git repository"] {
        assert!(stderr.contains(text), "{stderr}");
    }
    let listed = project.json(&["automation", "list", "--json"]);
    let code = |at: usize| listed["automations"][at]["impediment"]["code"].clone();
    assert_eq!(
        [code(0), code(1), code(2), code(3)],
        [Value::Null, "NO_COMMITS".into(), "NO_COMMITS".into(), Value::Null]
    );
    let _server = project.serve();
    project.run(&["emit", "x"]);
    until("the other automation runs", || project.read("ran") == "ran\n");
}

#[test]
fn own_secrets_in_emitted_data_and_in_file_names_reach_no_file() {
    let mut emitted = hook("emitted", "deploy", "cat >> ../elsewhere/seen");
    emitted["prompt"] = "emitted {note} {fileName}\n".into();
    emitted["pattern"] = "src/order-*.rs".into();
    // As JavaScript writes it.
    emitted["secretPatterns"] = json!(["/ORDER-[0-9]{4}/i"]);
    let mut saved = hook("saved", "onDidSaveTextDocument", "cat >> ../elsewhere/seen");
    saved["prompt"] = "saved {fileName}\n".into();
    saved["pattern"] = "src/order-*.txt".into();
    saved["secretPatterns"] = json!(["order-[0-9]{4}"]);
    let project = Project::new(&json!([emitted, saved]));
    let _server = project.serve();
    let data = json!({"note": "see order-4711", "deep": [{"key": "order-4712"}]}).to_string();
    for n in [4713, 4714] {
        let file = format!("src/order-{n}.rs");
        let done = project.run(&["emit", "deploy", "--file", &file, "--data", &data]);
        assert!(done.0 == 0 && done.2.contains("it triggers `emitted`"), "{}", done.2);
    }
    for n in [4715, 4716] {
        project.sandbox.write(format!("src/order-{n}.txt"), "1");
    }
    until("both events and both saves ran", || project.runs(&[]).len() == 4);
    let mut seen: Vec<String> = project.read("../elsewhere/seen").lines().map(str::to_owned).collect();
    seen.sort();
    let emitted = "emitted see [REDACTED] [REDACTED].rs";
    assert_eq!(seen, [emitted, emitted, "saved [REDACTED].txt", "saved [REDACTED].txt"]);
    let folder = project.sandbox.path(".ai/tmp/automation");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.to_lowercase().contains("order-47"), "{}", path.display());
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let is_private = ["queue.jsonl", "history.sqlite"].iter().any(|it| path.ends_with(it));
        assert!(!is_private || mode == 0o600, "{}: {mode:o}", path.display());
    }
}

#[test]
fn the_queue_of_an_older_build_becomes_private() {
    let project = Project::new(&json!([hook("go", "x", "true")]));
    project.run(&["emit", "x"]);
    let queue = project.sandbox.path(".ai/tmp/automation/queue.jsonl");
    let mode = || fs::metadata(&queue).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&queue, fs::Permissions::from_mode(0o644)).unwrap();
    let _server = project.serve();
    assert_eq!(mode(), 0o600);
}

#[test]
fn the_beginning_of_a_long_answer_is_stored() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 4096];
        let _ = stream.read(&mut head).unwrap();
        let body = format!("THE BEGINNING\n{}", "é".repeat(150_000));
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
    });
    let mut ask = hook("ask", "x", "");
    ask["runner"] = json!({"type": "http", "url": url});
    ask["prompt"] = "hello".into();
    let project = Project::new(&json!([ask]));
    let record = project.json(&["automation", "run", "ask", "--json"]);
    let logs = record["logs"].as_str().unwrap();
    assert!(logs.starts_with("HTTP 200\nTHE BEGINNING\né"), "{}", &logs[..60]);
    assert!(
        logs.ends_with("\n[the rest of the answer is not stored]\n") && logs.len() > 60_000,
        "{}",
        logs.len()
    );
    server.join().unwrap();
}

#[test]
fn whole_numbers_may_have_a_fraction_of_zeros_and_flags_of_patterns_are_known() {
    let mut go = hook("go", "x", "echo KEY-7; echo key-8");
    go["prompt"] = "go".into();
    go["concurrency"] = json!(4.0);
    go["timeoutMs"] = json!(60000.0);
    go["secretPatterns"] = json!(["/key-[0-9]+/gi"]);
    let project = Project::new(&json!([go]));
    let shown = project.json(&["automation", "show", "go", "--json"]);
    assert_eq!((&shown["concurrency"], &shown["timeoutMs"]), (&json!(4), &json!(60000)));
    let record = project.json(&["automation", "run", "go", "--json"]);
    assert_eq!(record["logs"], "[REDACTED]\n[REDACTED]\n");
    let mut bad = hook("bad", "x", "true");
    bad["secretPatterns"] = json!(["/key/y"]);
    project.sandbox.write(".akira/hooks.json", json!({"hooks": [bad]}).to_string());
    let (code, _, stderr) = project.run(&["automation", "validate"]);
    assert!(code == 1 && stderr.contains("has the unknown flag `y`"), "{stderr}");
}

#[test]
fn rotated_journals_are_removed_by_age_and_size_and_so_are_their_runs() {
    let project = Project::new(&json!([hook("go", "x", "true")]));
    project.sandbox.config(&json!({"automation": {"history": {"maxAgeDays": 2, "maxMegabytes": 1}}}));
    project.sandbox.trust();
    project.json(&["automation", "run", "go", "--json"]);
    let folder = project.sandbox.path(".ai/tmp/automation");
    let queue = fs::read_to_string(folder.join("queue.jsonl")).unwrap();
    let archive = |n: u32, days: u64, padding: usize| {
        let path = folder.join(format!("queue-{n:06}.jsonl"));
        let renamed = queue.replace("\"hook\":\"go\"", &format!("\"hook\":\"go{n}\""));
        let renamed = renamed.replace("\"hookId\":\"go\"", &format!("\"hookId\":\"go{n}\""));
        let id = queue.split("\"id\":\"r").nth(1).unwrap().split('"').next().unwrap();
        let renamed = renamed.replace(id, &format!("{n:011x}-{n:012x}"));
        fs::write(&path, renamed + &" ".repeat(padding) + "\n").unwrap();
        let then = SystemTime::now() - Duration::from_hours(24 * days);
        fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
        path
    };
    let old = archive(1, 3, 0);
    let large = archive(2, 1, 1 << 20);
    let kept = archive(3, 1, 0);
    assert_eq!(project.runs(&[]).len(), 4);
    let _server = project.serve();
    project.run(&["emit", "x"]);
    until("the old and the large one are removed", || !old.exists() && !large.exists());
    assert!(kept.exists());
    until("their runs are forgotten", || project.runs(&[]).len() == 3);
    assert_eq!(project.runs(&["--grep", "go1"]).len() + project.runs(&["--hook", "go2"]).len(), 0);
    assert_eq!(project.runs(&["--hook", "go3"]).len(), 1);
}

#[test]
fn counts_last_runs_and_local_times_are_shown() {
    let project = Project::new(&json!([hook("go", "x", "echo oops >&2; exit 3")]));
    let shown = |args: &[&str]| {
        let output = project.command().args(args).env("TZ", "IST-5:30").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["automation", "show", "go"]).contains("none yet"));
    for _ in 0..2 {
        assert_eq!(project.run(&["automation", "run", "go"]).0, 1);
    }
    let listed = project.json(&["automation", "list", "--json"])["automations"][0].clone();
    assert_eq!(listed["executionCount"], 2);
    assert_eq!(listed["lastExecuted"], project.runs(&[])[0]["endTs"]);
    let detail = project.json(&["automation", "show", "go", "--json"]);
    assert_eq!((&detail["executionCount"], detail["lastRuns"].as_array().unwrap().len()), (&json!(2), 2));
    let id = project.runs(&[])[0]["id"].as_str().unwrap().to_owned();
    for args in [&["automation", "history"][..], &["automation", "show", "go"]] {
        let text = shown(args);
        for part in [id.as_str(), "+05:30", "EXIT_CODE: oops"] {
            assert!(text.contains(part), "{args:?} without {part}:\n{text}");
        }
    }
    let listed = shown(&["automation", "list"]);
    assert!(listed.contains(" ago") || listed.contains("just now"), "{listed}");
    assert!(shown(&["automation", "logs"]).contains("+05:30"));
}

#[test]
fn names_that_are_not_utf_8_fire() {
    let mut saved = hook("saved", "onDidSaveTextDocument", "cat >> ../elsewhere/seen");
    saved["prompt"] = "{fileExt}\n".into();
    let mut own = hook("own", "mine", "cat >> ../elsewhere/seen");
    own["prompt"] = "own {fileExt}\n".into();
    let project = Project::new(&json!([saved, own]));
    let _server = project.serve();
    let folder = project.sandbox.path(OsStr::from_bytes(b"f\xff"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(OsStr::from_bytes(b"a\xfe.txt")), "1").unwrap();
    until("the save fires", || project.read("../elsewhere/seen") == "txt\n");
    let emitted =
        project.command().args(["emit", "mine", "--file"]).arg(OsStr::from_bytes(b"b\xfe.rs")).output();
    assert!(emitted.unwrap().status.success());
    until("the event fires", || project.read("../elsewhere/seen") == "txt\nown rs\n");
}
