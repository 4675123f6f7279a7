//! The command and the webhook that tell a person of an ask.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};

use serde_json::{Value, json};

use super::{Hook, PUSH, Scene, said};

#[test]
fn a_person_is_notified_once_the_settings_are_trusted() {
    let scene = Scene::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/asks", listener.local_addr().unwrap().port());
    let file = scene.sandbox.elsewhere().join("told.json");
    let config = json!({
        "version": 1, "ask": {"wait": 600},
        "notify": {
            "command": ["sh", "-c", format!("cat > '{0}.part'; mv '{0}.part' '{0}'", file.display())],
            "webhook": {"url": url, "secretEnv": "ASK_KEY"},
        },
    });
    scene.sandbox.config(&config);
    let start = || {
        let mut program = scene.agent_program();
        program.env("ASK_KEY", "key").args(["dispatch", "PreToolUse", "--host", "codex", "--timeout=600"]);
        Hook::start(program, &scene.payload("codex", "s", PUSH))
    };
    let hook = start();
    let id = scene.only_id();
    let untrusted = scene.person(&["ask", "notify", &id]);
    assert!(said(&untrusted).contains("is not trusted"), "{}", said(&untrusted));
    scene.person(&["ask", "deny", &id]);
    hook.answer();
    assert!(!file.exists());
    let trusted = scene.person(&["trust"]);
    assert!(said(&trusted).contains("notify"), "{}", said(&trusted));

    let hook = start();
    let id = scene.only_id();
    let (mut stream, _) = listener.accept().unwrap();
    let mut head = String::new();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).unwrap();
    }
    let field = |name: &str| {
        let line = head.lines().find(|line| line.to_lowercase().starts_with(name)).unwrap();
        line.split_once(": ").unwrap().1.to_owned()
    };
    let mut body = vec![0; field("content-length").parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n").unwrap();
    let signature = hmac_sha256::HMAC::mac(&body, b"key").map(|byte| format!("{byte:02x}")).concat();
    assert_eq!(field("x-steersman-signature"), format!("sha256={signature}"));
    let posted: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&posted["id"], &posted["call"]), (&json!(id), &json!(PUSH)));
    // The command ran before the webhook.
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(&file).unwrap()).unwrap(), posted);
    scene.person(&["ask", "deny", &id]);
    hook.answer();
}
