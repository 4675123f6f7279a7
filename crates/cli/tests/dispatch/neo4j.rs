//! The Neo4j capability (contract §11): queried at the right events, with real and with faulty servers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use serde_json::{Value, json};
use testkit::{BoltServer, Sandbox};

use crate::sandbox;

const QUERY: &str = "MATCH (s:Schema) RETURN s.version";

fn server(script: &str) -> BoltServer {
    BoltServer::following(script, Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// Returns a workspace whose database listens at this port, with a generous time limit for a busy machine.
fn sandbox_with_port(port: u16, more: Value) -> Sandbox {
    let sandbox = sandbox();
    let mut section =
        json!({"uri": format!("bolt://127.0.0.1:{port}"), "timeoutMs": 15_000, "queryTimeoutMs": 15_000});
    if let (Value::Object(section), Value::Object(more)) = (&mut section, more) {
        section.extend(more);
    }
    sandbox.config(&json!({"neo4j": section}));
    sandbox
}

fn cap(sandbox: &Sandbox) -> Value {
    let mut cap = sandbox.session().state()["cap"]["neo4j"].clone();
    if let Some(fields) = cap.as_object_mut() {
        assert!(fields.remove("lastCheckTs").is_some_and(|at| at.is_u64()), "{fields:?}");
    }
    cap
}

/// Returns the warnings of an answer as one string.
fn warnings(answer: &Value) -> String {
    answer["warnings"].to_string()
}

#[test]
fn a_server_that_speaks_bolt_is_reachable_and_says_its_schema() {
    for version in ["3", "4"] {
        let pull = if version == "3" { "PULL_ALL" } else { "PULL {\"n\": 1}" };
        let server = server(&format!(
            "!: BOLT {version}\n!: AUTO HELLO\n\nC: RUN \"{QUERY}\" {{}} {{}}\nS: SUCCESS {{\"fields\": [\"v\"]}}\n\
             C: {pull}\nS: RECORD [\"1.2.3\"]\n   SUCCESS {{}}\n"
        ));
        let sandbox = sandbox_with_port(server.port, json!({"schemaQuery": QUERY}));
        let answer = sandbox.raw("SessionStart", &json!({"source": "startup"}));
        assert_eq!(answer["warnings"], Value::Null, "{answer}");
        assert_eq!(
            cap(&sandbox),
            json!({"enabled": true, "reachable": true, "schemaVersion": "1.2.3"}),
            "Bolt {version}"
        );
        assert!(server.went_by_the_script(), "Bolt {version}");
        sandbox.check_everything();
    }
}

#[test]
fn every_version_from_4_1_to_5_4_is_spoken_with_its_own_way_to_log_in() {
    let agent = concat!("steersman/", env!("CARGO_PKG_VERSION"));
    let login = json!({"scheme": "basic", "principal": "neo4j", "credentials": "open sesame"});
    for version in ["4.1", "4.2", "4.3", "4.4", "5.0", "5.1", "5.2", "5.3", "5.4"] {
        let mut hello = json!({"user_agent": agent});
        if version >= "5.3" {
            hello["bolt_agent"] = json!({"product": agent});
        }
        let greeting = if version >= "5.1" {
            format!("C: HELLO {hello}\nS: SUCCESS {{}}\nC: LOGON {login}\nS: SUCCESS {{}}\n")
        } else {
            hello.as_object_mut().unwrap().extend(login.as_object().unwrap().clone());
            format!("C: HELLO {hello}\nS: SUCCESS {{}}\n")
        };
        let script = format!(
            "!: BOLT 4\n\n{greeting}C: RUN \"{QUERY}\" {{}} {{}}\nS: SUCCESS {{\"fields\": [\"v\"]}}\n\
             C: PULL {{\"n\": 1}}\nS: RECORD [\"{version}\"]\n   SUCCESS {{}}\n"
        );
        let server = BoltServer::speaking(version, &script, Path::new(env!("CARGO_TARGET_TMPDIR")));
        let settings = json!({"schemaQuery": QUERY, "user": "neo4j", "passwordFile": ".secrets/neo4j"});
        let sandbox = sandbox_with_port(server.port, settings);
        sandbox.write(".secrets/neo4j", "open sesame\n");
        let answer = sandbox.raw("SessionStart", &json!({}));
        assert_eq!(answer["warnings"], Value::Null, "Bolt {version}: {answer}");
        assert_eq!(
            cap(&sandbox),
            json!({"enabled": true, "reachable": true, "schemaVersion": version}),
            "Bolt {version}"
        );
        assert!(server.went_by_the_script(), "Bolt {version}");
    }
}

#[test]
fn the_client_logs_in_with_a_password_that_is_in_no_setting() {
    let agent = concat!("steersman/", env!("CARGO_PKG_VERSION"));
    let hello =
        json!({"user_agent": agent, "scheme": "basic", "principal": "neo4j", "credentials": "open sesame"});
    let server = server(&format!(
        "!: BOLT 4\n\nC: HELLO {hello}\nS: SUCCESS {{\"server\": \"Neo4j/4.0.0\"}}\nC: RUN \"{QUERY}\" {{}} {{}}\n\
         S: SUCCESS {{\"fields\": [\"v\"]}}\nC: PULL {{\"n\": 1}}\nS: RECORD [7]\n   SUCCESS {{}}\n"
    ));
    let settings = json!({"schemaQuery": QUERY, "user": "neo4j", "passwordFile": ".secrets/neo4j"});
    let sandbox = sandbox_with_port(server.port, settings);
    sandbox.write(".secrets/neo4j", "open sesame\n");
    sandbox.raw("SessionStart", &json!({}));
    assert_eq!(cap(&sandbox)["schemaVersion"], "7");
    assert!(server.went_by_the_script());
    sandbox.check_everything();
}

#[test]
fn a_server_that_rejects_the_query_is_reachable_and_the_user_is_warned() {
    let server = server(&format!(
        "!: BOLT 4\n!: AUTO HELLO\n\nC: RUN \"{QUERY}\" {{}} {{}}\n\
         S: FAILURE {{\"code\": \"Neo.ClientError\", \"message\": \"no such label\"}}\n"
    ));
    let sandbox = sandbox_with_port(server.port, json!({"schemaQuery": QUERY}));
    let answer = sandbox.raw("SessionStart", &json!({}));
    assert!(warnings(&answer).contains("cannot read the schema version: no such label"), "{answer}");
    assert_eq!(cap(&sandbox), json!({"enabled": true, "reachable": true}));
}

#[test]
fn after_a_tool_call_only_the_handshake_is_made_and_what_is_known_is_not_asked_again() {
    let server = server("!: BOLT 4\n\n");
    let sandbox = sandbox_with_port(server.port, json!({"schemaQuery": QUERY}));
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "x"});
    let answer = sandbox.raw("PostToolUse", &call);
    assert_eq!(answer["warnings"], Value::Null, "{answer}");
    assert_eq!(cap(&sandbox), json!({"enabled": true, "reachable": true}));
    assert!(server.went_by_the_script());
    // The server is gone; steersman uses the cached result for five minutes.
    sandbox.raw("Stop", &json!({}));
    assert_eq!(cap(&sandbox)["reachable"], true);
}

#[test]
fn a_call_that_waits_never_pays_for_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let sandbox = sandbox_with_port(listener.local_addr().unwrap().port(), json!({"schemaQuery": QUERY}));
    sandbox.raw("PreToolUse", &json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    assert_eq!(
        listener.accept().unwrap_err().kind(),
        std::io::ErrorKind::WouldBlock,
        "a client has connected"
    );
    assert_eq!(sandbox.session().state()["cap"], Value::Null);
}

#[test]
fn a_closed_port_is_not_reachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let sandbox = sandbox_with_port(port, json!({}));
    let answer = sandbox.raw("SessionStart", &json!({}));
    assert_eq!(answer["warnings"], Value::Null, "{answer}");
    assert_eq!(cap(&sandbox), json!({"enabled": true, "reachable": false}));
}

/// Starts a server that handles every connection with this function.
fn bad_server(behave: fn(TcpStream)) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || behave(stream));
        }
    });
    port
}

/// Reads until the peer closes the connection.
fn listen_on(mut stream: TcpStream) {
    let _ = stream.read_to_end(&mut Vec::new());
}

#[test]
fn slow_servers_and_servers_of_another_protocol_delay_no_call() {
    let silent: fn(TcpStream) = listen_on;
    let web: fn(TcpStream) = |mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        listen_on(stream);
    };
    let one_byte: fn(TcpStream) = |mut stream| {
        let _ = stream.write_all(&[0]);
        listen_on(stream);
    };
    let another_version: fn(TcpStream) = |mut stream| {
        let _ = stream.write_all(&[0, 0, 0, 0]);
        listen_on(stream);
    };
    let hangs_up: fn(TcpStream) = drop;
    for (what, behave) in [
        ("silent", silent),
        ("web", web),
        ("one byte", one_byte),
        ("another version", another_version),
        ("hangs up", hangs_up),
    ] {
        let sandbox = sandbox_with_port(bad_server(behave), json!({"schemaQuery": QUERY, "timeoutMs": 200}));
        let answer = sandbox.raw("SessionStart", &json!({}));
        assert_eq!(answer["warnings"], Value::Null, "{what}: {answer}");
        assert_eq!(cap(&sandbox)["reachable"], false, "{what}");
        sandbox.check_everything();
    }
    // Reachable, then silent or sending garbage.
    let falls_silent: fn(TcpStream) = |mut stream| {
        let _ = stream.write_all(&[0, 0, 0, 4]);
        listen_on(stream);
    };
    let nonsense: fn(TcpStream) = |mut stream| {
        let _ = stream.write_all(&[0, 0, 0, 4, 0, 3, 0xB1, 0x70, 0xDF, 0, 0]);
        listen_on(stream);
    };
    for behave in [falls_silent, nonsense] {
        let impatient = json!({"schemaQuery": QUERY, "queryTimeoutMs": 200});
        let sandbox = sandbox_with_port(bad_server(behave), impatient);
        let answer = sandbox.raw("SessionStart", &json!({}));
        assert!(warnings(&answer).contains("cannot read the schema version"), "{answer}");
        assert_eq!(cap(&sandbox), json!({"enabled": true, "reachable": true}));
    }
}

#[test]
fn invalid_settings_are_reported_with_their_place_and_stop_nothing() {
    let sandbox = sandbox();
    for (text, problem) in [
        ("{\"neo4j\": {\n  \"uri\": 7}}", "line 2, column"),
        ("{\"neo4j\": {\n  \"uri\": \"http://localhost\"}}", "line 2, column 10: unknown scheme `http`"),
        ("{\"neo4j\": {\n  \"uri\": \"bolt+s://localhost\"}}", "does not support encrypted connections"),
        ("{\"neo4j\": {\n  \"uri\": \"neo4j+s://db.example.org\"}}", "use `bolt://localhost:7687`"),
    ] {
        sandbox.write(".ai/hooks/config.json", text);
        let answer = sandbox.raw("SessionStart", &json!({}));
        assert!(warnings(&answer).contains(problem), "{text}: {answer}");
        assert_eq!(sandbox.session().state()["cap"], Value::Null);
    }
    // Without a configured database, nothing is queried or reported.
    sandbox.config(&json!({"neo4j": {}}));
    assert_eq!(sandbox.raw("SessionStart", &json!({}))["warnings"], Value::Null);
}
