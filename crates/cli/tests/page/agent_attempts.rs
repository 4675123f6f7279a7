//! An agent runs as the same user and tries to change things through the page.

use std::fs;
use std::process::{Child, Stdio};

use serde_json::json;

use crate::scene::{Scene, until};

/// A client without a browser: sends a request and prints the status.
const CLIENT: &str = r"
import http.client, sys
port, method, path, body = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
headers = dict(it.split(': ', 1) for it in sys.argv[5:])
connection = http.client.HTTPConnection('127.0.0.1', port)
connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
for name, value in headers.items(): connection.putheader(name, value)
connection.putheader('Content-Length', str(len(body)))
connection.endheaders(body.encode())
answer = connection.getresponse()
print(answer.status, answer.getheader('Set-Cookie') or '')
";

/// An agent program that is still running: everything in its script is beneath it.
fn agent(scene: &Scene, text: &str) -> String {
    let payload = json!({"session_id": "agent", "cwd": scene.sandbox.root(), "hook_event_name": "SessionStart", "source": "startup"});
    let script = scene.sandbox.elsewhere().join("agent.sh");
    fs::write(
        &script,
        format!(
            "echo '{payload}' | steersman dispatch SessionStart --host claude-code > /dev/null\n{text}\n"
        ),
    )
    .unwrap();
    let output = scene.command("sh").arg(&script).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Returns the command line of a request by the client.
fn client(scene: &Scene, method: &str, path: &str, body: &str, headers: &[String]) -> String {
    let file = scene.sandbox.elsewhere().join("client.py");
    fs::write(&file, CLIENT).unwrap();
    let headers: Vec<String> = headers.iter().map(|it| format!(" '{it}'")).collect();
    let headers = headers.concat();
    format!("python3 '{}' {} {method} '{path}' '{body}'{headers}", file.display(), scene.port())
}

fn own_headers(scene: &Scene) -> Vec<String> {
    let origin = scene.address().trim_end_matches('/').to_owned();
    let host = origin.trim_start_matches("http://").to_owned();
    let form = "Content-Type: application/x-www-form-urlencoded".to_owned();
    vec![format!("Host: {host}"), format!("Origin: {origin}"), "Sec-Fetch-Site: same-origin".to_owned(), form]
}

fn token(scene: &Scene) -> String {
    scene.link().rsplit_once('=').unwrap().1.to_owned()
}

#[test]
fn an_agent_cannot_exchange_the_token_nor_use_a_cookie() {
    let scene = Scene::serving();
    let redeem =
        |headers: &[String]| client(&scene, "POST", "/enter", &format!("once={}", token(&scene)), headers);
    let own = redeem(&own_headers(&scene));
    // From the agent's own shell, and detached from it in the usual ways.
    for attempt in [
        own.clone(),
        format!("(setsid sh -c \"{own}\" > out 2>&1 &) ; sleep 3; cat out"),
        format!("nohup sh -c \"{own}\" 2>/dev/null"),
        format!("setsid script -qec \"{own}\" /dev/null"),
        "(setsid sh -c \"(script -qec 'sh line' typed > /dev/null 2>&1 < /dev/null &)\" &); sleep 3; tr -d '\\r' < typed | grep -a '^[0-9]'".to_owned(),
        "env -i PATH=\"$PATH\" sh line".to_owned(),
        "python3 -c \"import os,subprocess\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nsubprocess.run(['sh','-c',open('line').read()],stdout=open('out','w'))\"; sleep 3; cat out".to_owned(),
    ] {
        fs::write(scene.sandbox.path("line"), &own).unwrap();
        let said = agent(&scene, &attempt);
        assert!(said.starts_with("403"), "{attempt}: {said}");
    }
    // A person exchanges it; the agent steals the cookie.
    let output = scene.command("sh").args(["-c", &own]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("303 steersman="), "{said}");
    let cookie = said.split([' ', ';']).nth(1).unwrap().to_owned();
    let mut headers = own_headers(&scene);
    headers.push(format!("Cookie: {cookie}"));
    let run = client(&scene, "POST", "/automations/greet/run", "", &headers);
    assert!(agent(&scene, &run).starts_with("403"), "beneath the agent");
    assert!(scene.get("/api/v1/automations").1.contains("\"history\":[]"), "nothing ran");
    let refusals = fs::read_to_string(scene.sandbox.path(".ai/tmp/refusals.jsonl")).unwrap();
    assert!(refusals.lines().count() >= 5, "{refusals}");
    let output = scene.command("sh").args(["-c", &run]).output().unwrap();
    assert!(output.stdout.starts_with(b"303"), "a person may: {output:?}");
}

#[test]
fn requests_of_other_sites_and_names_change_nothing() {
    let scene = Scene::serving();
    let own = own_headers(&scene);
    let port = scene.port();
    let person = |headers: &[String], path: &str| {
        let line = client(&scene, "POST", path, &format!("once={}", token(&scene)), headers);
        String::from_utf8_lossy(&scene.command("sh").args(["-c", &line]).output().unwrap().stdout)
            .into_owned()
    };
    let with = |index: usize, value: String| {
        let mut headers = own.clone();
        headers[index] = value;
        headers
    };
    for headers in [
        with(0, format!("Host: 127.0.0.1:{port}")),
        with(0, format!("Host: evil.example:{port}")),
        with(1, "Origin: http://evil.example".to_owned()),
        with(1, "Origin: null".to_owned()),
        with(1, "X-Origin: none".to_owned()),
        with(2, "Sec-Fetch-Site: cross-site".to_owned()),
        with(2, "Sec-Fetch-Site: same-site".to_owned()),
    ] {
        assert!(person(&headers, "/enter").starts_with("403"), "{headers:?}");
    }
    assert!(person(&own, "/automations/greet/run").starts_with("403"), "no cookie");
    // No GET changes anything.
    let opened = scene.get(&format!("/enter?once={}", token(&scene)));
    assert_eq!((opened.0, opened.1.contains("<form")), (200, true));
    assert_eq!(scene.get("/automations/greet/run").0, 405);
    assert!(scene.link().contains(&token(&scene)));
    assert!(person(&own, "/enter").starts_with("303"), "the link still works once");
    assert!(person(&own, "/enter").starts_with("403"), "and not twice");
    let strange = scene.request("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(strange.0, 403);
}

#[test]
fn a_server_that_an_agent_started_has_no_link() {
    let scene = Scene::new();
    let log = scene.sandbox.elsewhere().join("agent-serve.log");
    let payload = json!({"session_id": "agent", "cwd": scene.sandbox.root(), "hook_event_name": "SessionStart", "source": "startup"});
    let script = scene.sandbox.elsewhere().join("agent.sh");
    fs::write(
        &script,
        format!(
            "echo '{payload}' | steersman dispatch SessionStart --host claude-code > /dev/null\nsteersman serve --json --port 0 > '{}' 2>&1 & echo $! > pid; wait\n",
            log.display()
        ),
    )
    .unwrap();
    let agent: Child = scene.command("sh").arg(&script).stdout(Stdio::null()).spawn().unwrap();
    let said = || fs::read_to_string(&log).unwrap_or_default();
    until("it serves", || said().contains("STARTED"));
    assert!(said().contains("LISTENING") && !said().contains("once="), "{}", said());
    let pid = fs::read_to_string(scene.sandbox.path("pid")).unwrap();
    let mut agent = agent;
    assert!(scene.command("kill").arg(pid.trim()).status().unwrap().success());
    agent.wait().unwrap();
}
