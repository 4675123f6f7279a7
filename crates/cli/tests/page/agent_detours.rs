//! An agent looks for ways around the page: other users, other ports, `/proc`, other names.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::scene::Scene;

#[test]
fn another_user_of_the_machine_cannot_read_the_page() {
    // Only the administrator can start a program as another user; the unit tests of `peer` check the table for everyone.
    if !rustix::process::getuid().is_root() {
        return;
    }
    let scene = Scene::serving();
    let script = format!(
        "import http.client; c = http.client.HTTPConnection('127.0.0.1', {}); c.request('GET', '/api/v1/now'); print(c.getresponse().status)",
        scene.port()
    );
    let status = |uid: u32| {
        let mut python = scene.command("python3");
        python.current_dir("/").args(["-c", &script]).uid(uid);
        String::from_utf8_lossy(&python.output().unwrap().stdout).trim().to_owned()
    };
    assert_eq!((status(65_534), status(0)), ("403".to_owned(), "200".to_owned()));
}

#[test]
fn what_proc_shows_of_the_server_holds_no_token() {
    let scene = Scene::serving();
    let token = scene.link().rsplit_once('=').unwrap().1.to_owned();
    let record = fs::read_to_string(scene.sandbox.path(".ai/tmp/automation/server.json")).unwrap();
    let pid = serde_json::from_str::<Value>(&record).unwrap()["pid"].as_u64().unwrap();
    assert!(!record.contains(&token));
    for file in ["cmdline", "environ"] {
        let text = String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/{file}")).unwrap()).into_owned();
        assert!(!text.is_empty() && !text.contains(&token), "{file}");
    }
}

/// Notes a request and answers with a page.
fn collect(mut stream: TcpStream, seen: &Mutex<Vec<String>>) {
    let mut bytes = vec![0; 16 * 1024];
    let n = stream.read(&mut bytes).unwrap_or(0);
    if n == 0 {
        return;
    }
    seen.lock().unwrap().push(String::from_utf8_lossy(&bytes[..n]).into_owned());
    let page = "<!doctype html><title>x</title><main>collected</main>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: ";
    let _ = stream.write_all(format!("{head}{}\r\n\r\n{page}", page.len()).as_bytes());
}

#[test]
fn a_server_of_the_agent_on_another_port_gets_no_cookie() {
    let scene = Scene::serving();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let requests = Arc::new(Mutex::new(Vec::<String>::new()));
    let seen = Arc::clone(&requests);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Browsers also open connections on which they send nothing.
            let seen = Arc::clone(&seen);
            thread::spawn(move || collect(stream, &seen));
        }
    });
    let own = scene.address();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": scene.link()},
        {"until": "Now"},
        {"goto": format!("http://localhost:{port}/")},
        {"until": "collected"},
        {"goto": format!("http://127.0.0.1:{port}/")},
        {"goto": format!("http://other.localhost:{port}/")},
        // From the agent's page: our page answers neither reads nor changes.
        {"fetch": {"url": format!("{own}api/v1/asks")}},
        {"fetch": {"url": format!("{own}automations/greet/run"), "options": {"method": "POST", "credentials": "include"}}},
        {"goto": format!("{own}automations")},
    ]}));
    for step in [6, 7] {
        assert!(browsed.found[step]["error"].is_string(), "{:?}", browsed.found[step]);
    }
    let seen = requests.lock().unwrap().clone();
    assert!(seen.len() >= 3 && seen.iter().all(|it| !it.contains("steersman=")), "{seen:?}");
    assert!(scene.get("/api/v1/automations").1.contains("\"history\":[]"), "nothing ran");
}

#[test]
fn names_that_only_look_like_ours_are_refused() {
    let scene = Scene::serving();
    let port = scene.port();
    let own = scene.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let name = own.split(':').next().unwrap().to_owned();
    for host in [
        format!("{name}.evil.example:{port}"),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("evil{name}:{port}"),
        format!("localhost.evil.example:{port}"),
        "evil.example\\@127.0.0.1".to_owned(),
        format!("other.localhost:{port}"),
    ] {
        let request = format!("GET /api/v1/now HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let (status, _) = scene.request(&request);
        assert!(matches!(status, 400 | 403), "{host}: {status}");
    }
    let absolute = format!(
        "GET http://evil.example/api/v1/now HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: {own}\r\nForwarded: host={own}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(scene.request(&absolute).0, 403);
}
