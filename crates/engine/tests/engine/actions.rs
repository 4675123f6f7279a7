//! Actions with real programs: git, an HTTP server, a scripted `gh`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread;
use std::time::Duration;

use automation::{
    Action, Git, GitHub, GitHubOperation, GitOperation, OccurrenceKind, RunnerChoice, Status, Template,
};
use host::AgentCli;

use crate::stage::{Stage, automation, called};

fn git(stage: &Stage, args: &[&str]) -> String {
    let output = Command::new("git").args(args).current_dir(stage.path("")).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_agent_program_gets_its_prompt_and_the_values_filled_in() {
    for cli in AgentCli::ALL {
        let stage = Stage::new();
        stage.program(cli.as_str(), "printf '%s\\n' \"$@\" > args; cat > stdin; echo answered");
        let mut hook =
            automation("a", Action::Prompt { prompt: Template::new("Look at {fileName}, {nothing}{x") });
        hook.runner = Some(RunnerChoice::Cli(cli.into()));
        hook.trigger = automation::Trigger::FileSaved { pattern: None };
        let mut engine = stage.engine(&[hook]);
        engine.offer([OccurrenceKind::FileSaved { path: "src/$(touch hacked).rs".into() }]);
        engine.finish();
        let record = stage.records().remove(0);
        assert_eq!(
            (record.status, record.logs.as_deref()),
            (Status::Success, Some("answered\n[warning] {nothing} has no value here and was left out\n")),
            "{record:?}"
        );
        let seen = format!("{}{}", stage.read("args"), stage.read("stdin"));
        assert!(seen.contains("Look at $(touch hacked).rs, {x"), "{seen}");
        assert!(!stage.path("hacked").exists());
    }
}

#[test]
fn a_commit_takes_what_is_staged_and_a_push_goes_where_the_branch_belongs() {
    let stage = Stage::new();
    git(&stage, &["init", "-q", "-b", "main"]);
    git(&stage, &["config", "user.email", "a@example.com"]);
    git(&stage, &["config", "user.name", "A"]);
    let remote = stage.dir.path().join("remote.git");
    git(&stage, &["init", "-q", "--bare", &remote.display().to_string()]);
    git(&stage, &["remote", "add", "origin", &remote.display().to_string()]);
    git(&stage, &["config", "push.default", "current"]);
    std::fs::write(stage.path("one"), "1").unwrap();
    git(&stage, &["add", "one"]);
    let message = Some(Template::new("--amend {name}"));
    let hook = automation("a", Action::Git(Git { operation: GitOperation::Commit, message, push: true }));
    let mut engine = stage.engine(&[hook]);
    let data = serde_json::json!({"name": "\"x\" `y`"}).as_object().unwrap().clone();
    engine.offer([OccurrenceKind::Custom { name: "a".into(), path: None, data }]);
    engine.finish();
    assert_eq!(stage.records()[0].status, Status::Success, "{:?}", stage.records());
    assert_eq!(git(&stage, &["log", "--format=%s"]), "--amend \"x\" `y`\n");
    let pushed = git(&stage, &["--git-dir", &remote.display().to_string(), "log", "--format=%s", "main"]);
    assert_eq!(pushed, "--amend \"x\" `y`\n");
    let data = serde_json::json!({"name": "x"}).as_object().unwrap().clone();
    engine.offer([OccurrenceKind::Custom { name: "a".into(), path: None, data }]);
    engine.finish();
    assert_eq!(stage.records()[1].logs.as_deref(), Some("nothing to commit\n"));
}

#[test]
fn github_is_asked_through_gh_with_the_body_on_stdin() {
    let stage = Stage::new();
    stage.program("gh", "printf '%s\\n' \"$@\" > args; cat > stdin");
    let hook = automation(
        "a",
        Action::GitHub(GitHub {
            operation: GitHubOperation::OpenIssue,
            repository: Some("me/it".into()),
            title: Some(Template::new("-T {triggerType}")),
            body: Some(Template::new("body; rm -rf /")),
            labels: vec!["bug".into()],
            issue: None,
        }),
    );
    let mut engine = stage.engine(&[hook]);
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(
        stage.read("args"),
        "issue\ncreate\n--body-file\n-\n--title=-T a\n--label=bug\n--repo=me/it\n"
    );
    assert_eq!(stage.read("stdin"), "body; rm -rf /");
}

/// Starts a server that answers one request; returns its address and a handle on the request.
fn server(answer: &'static str, delay: Duration) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let handle = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut got = Vec::new();
        let mut buffer = [0; 4096];
        while !got.ends_with(b"}") {
            let n = stream.read(&mut buffer).unwrap();
            got.extend_from_slice(&buffer[..n]);
            if n == 0 {
                break;
            }
        }
        thread::sleep(delay);
        let _ = stream.write_all(answer.as_bytes());
        String::from_utf8(got).unwrap()
    });
    (url, handle)
}

fn http_hook(url: String) -> automation::Automation {
    let mut hook = automation("a", Action::Prompt { prompt: Template::new("the prompt") });
    let headers = BTreeMap::from([("x-kind".to_owned(), "test".to_owned())]);
    hook.runner = Some(RunnerChoice::Http { url, headers });
    hook
}

#[test]
fn a_server_gets_the_prompt_as_json_and_its_answer_is_kept_without_secrets() {
    let answer = concat!(
        "HTTP/1.1 200 OK\r\ncontent-length: 53\r\n\r\ntaken ",
        "ghp_",
        "abcdefghijklmnopqrstuvwxyz0123456789 thanks"
    );
    let (url, got) = server(answer, Duration::ZERO);
    let stage = Stage::new();
    let mut engine = stage.engine(&[http_hook(url)]);
    engine.offer([called("a")]);
    engine.finish();
    let got = got.join().unwrap();
    assert!(got.starts_with("POST /hook HTTP/1.1") && got.contains("x-kind: test"), "{got}");
    let body: serde_json::Value = serde_json::from_str(got.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!((&body["prompt"], &body["hookId"]), (&"the prompt".into(), &"a".into()));
    let record = stage.records().remove(0);
    assert_eq!(record.logs.as_deref(), Some("HTTP 200\ntaken [REDACTED] thanks"));
}

#[test]
fn a_server_that_refuses_is_a_failure_and_one_that_is_slow_a_timeout() {
    let (url, _) = server("HTTP/1.1 503 Busy\r\ncontent-length: 5\r\n\r\nlater", Duration::ZERO);
    let stage = Stage::new();
    let mut engine = stage.engine(&[http_hook(url)]);
    engine.offer([called("a")]);
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.error.unwrap().code), (Status::Failed, "HTTP_STATUS".into()));

    let (url, _) = server("HTTP/1.1 200 OK\r\n\r\n", Duration::from_secs(20));
    let stage = Stage::new();
    let mut slow = http_hook(url);
    slow.timeout = Duration::from_millis(300);
    let mut engine = stage.engine(&[slow]);
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(stage.records()[0].status, Status::Timeout);
}

#[test]
fn a_command_gets_its_words_one_by_one() {
    let stage = Stage::new();
    let argv = ["sh", "-c", "printf '%s|' \"$@\" > args; cat > stdin", "sh", "{name}", "x{name}y"];
    let argv = argv.map(Template::new).to_vec();
    let hook = automation("a", Action::Command { argv, input: Some(Template::new("in: {name}")) });
    let mut engine = stage.engine(&[hook]);
    let data = serde_json::json!({"name": "a b; {filePath} $HOME"}).as_object().unwrap().clone();
    engine.offer([OccurrenceKind::Custom { name: "a".into(), path: None, data }]);
    engine.finish();
    assert_eq!(stage.read("args"), "a b; {filePath} $HOME|xa b; {filePath} $HOMEy|");
    assert_eq!(stage.read("stdin"), "in: a b; {filePath} $HOME");
}
