//! Each protocol reads the same conversation and encodes the same reply.

use serde_json::{Value, json};

use super::*;

/// The same conversation in each protocol: two tools, a prompt, one finished call.
fn conversations() -> [(&'static str, Read, Value); 4] {
    [
        (
            "messages",
            messages::read as Read,
            json!({
                "tools": [{"name": "read"}, {"name": "write"}],
                "messages": [
                    {"role": "user", "content": "PROMPT"},
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "read", "input": {}}]},
                    {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "RESULT"}]}]},
                ],
            }),
        ),
        (
            "responses",
            responses::read,
            json!({
                "tools": [{"type": "function", "name": "read"}],
                "input": [
                    {"type": "message", "role": "developer", "content": "INSTRUCTION"},
                    {"type": "message", "role": "user", "content": "PROMPT"},
                    {"type": "additional_tools", "tools": [{"type": "custom", "name": "write"}]},
                    {"type": "function_call", "name": "read", "arguments": "{}"},
                    {"type": "function_call_output", "output": "RESULT"},
                ],
            }),
        ),
        (
            "chat completions",
            chat_completions::read,
            json!({
                "tools": [{"function": {"name": "read"}}, {"function": {"name": "write"}}],
                "messages": [
                    {"role": "system", "content": "INSTRUCTION"},
                    {"role": "user", "content": "PROMPT"},
                    {"role": "assistant", "tool_calls": [{"function": {"name": "read"}}]},
                    {"role": "tool", "content": "RESULT"},
                ],
            }),
        ),
        (
            "generateContent",
            generate_content::read,
            json!({
                "tools": [{"functionDeclarations": [{"name": "read"}, {"name": "write"}]}],
                "contents": [
                    {"role": "user", "parts": [{"text": "FOLDER"}]},
                    {"role": "user", "parts": [{"text": "PROMPT"}]},
                    {"role": "model", "parts": [{"functionCall": {"name": "read"}}]},
                    {"role": "user", "parts": [{"functionResponse": {"response": "RESULT"}}]},
                ],
            }),
        ),
    ]
}

#[test]
fn every_protocol_reads_tools_prompt_and_results() {
    for (name, read, body) in conversations() {
        let read = read(&body);
        assert_eq!(read.offered, ["read", "write"], "{name}");
        assert_eq!(read.results, ["RESULT"], "{name}");
        assert!(read.opening.contains("PROMPT"), "{name}");
        assert!(!read.opening.contains("INSTRUCTION"), "{name}");
    }
}

#[test]
fn the_script_follows_the_number_of_results() {
    let call = |name: &str| Call::new(name, json!({}));
    let script = Script {
        calls: vec![call("read"), call("write")],
        subagent: vec![call("search")],
        ..Script::default()
    };
    let at = |results: usize, opening: &str, offered: &[&str]| {
        let conversation = Conversation {
            offered: offered.iter().map(|it| (*it).to_owned()).collect(),
            opening: opening.to_owned(),
            results: vec![String::new(); results],
        };
        script.next_calls(&conversation).into_iter().map(|call| call.name).collect::<Vec<_>>()
    };
    let all = ["read", "write", "search"];
    let none: [&str; 0] = [];
    assert_eq!(at(0, "x", &all), ["read"]);
    assert_eq!(at(1, "x", &all), ["write"]);
    assert_eq!(at(2, "x", &all), none);
    assert_eq!(at(3, "x", &all), none);
    assert_eq!(at(0, SUBAGENT_MARK, &all), ["search"]);
    // A request without the tool asks for something else, such as a title.
    assert_eq!(at(0, "x", &["search"]), none);
    assert_eq!(at(0, "x", &[]), none);
}

#[test]
fn a_tool_that_a_program_loads_late_is_called_without_being_listed() {
    let call = Call { is_deferred: true, ..Call::new("late", json!({})) };
    let script = Script { calls: vec![call.clone()], subagent: Vec::new(), ..Script::default() };
    let offering = |offered: &[&str]| Conversation {
        offered: offered.iter().map(|it| (*it).to_owned()).collect(),
        ..Conversation::default()
    };
    assert_eq!(script.next_calls(&offering(&["read"])), [call]);
    assert_eq!(script.next_calls(&offering(&[])), []);
}

#[test]
fn a_later_call_names_the_subagent_that_an_earlier_one_started() {
    let wait = |id: &str| Call::new("wait", json!({"targets": [id], "seconds": 1}));
    let script = Script {
        calls: vec![Call::new("start", json!({})), wait(AGENT_ID)],
        subagent: Vec::new(),
        ..Script::default()
    };
    let conversation = Conversation {
        offered: vec!["wait".to_owned()],
        opening: String::new(),
        results: vec![r#"{"agent_id": "a1", "nickname": "Ada"}"#.to_owned()],
    };
    assert_eq!(script.next_calls(&conversation), [wait("a1")]);
}

/// Encodes one reply and returns its data: the whole body, or each event of the stream.
fn encoded(encode: Encode, calls: Vec<Call>, is_streamed: bool) -> Vec<Value> {
    let answer = encode(&json!({"model": "m"}), &Reply { number: 7, calls, n_tokens: 100, is_streamed });
    assert_eq!(answer.status, 200);
    if !is_streamed {
        assert_eq!(answer.content_type, "application/json");
        return vec![serde_json::from_str(&answer.body).unwrap()];
    }
    assert_eq!(answer.content_type, "text/event-stream");
    let lines = answer.body.lines().filter_map(|line| line.strip_prefix("data: "));
    lines.filter(|line| *line != "[DONE]").map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_protocol_encodes_a_call_and_a_text_whole_and_as_stream() {
    let call = Call::new("read", json!({"path": "a"}));
    // The places of the tool's name, its input and the final text.
    let cases: [(Encode, &str, &str, &str); 4] = [
        (messages::encode, "/content/0/name", "/content/0/input", "/content/0/text"),
        (responses::encode, "/output/0/name", "/output/0/arguments", "/output/0/content/0/text"),
        (
            chat_completions::encode,
            "/choices/0/message/tool_calls/0/function/name",
            "/choices/0/message/tool_calls/0/function/arguments",
            "/choices/0/message/content",
        ),
        (
            generate_content::encode,
            "/candidates/0/content/parts/0/functionCall/name",
            "/candidates/0/content/parts/0/functionCall/args",
            "/candidates/0/content/parts/0/text",
        ),
    ];
    for (encode, name, input, text) in cases {
        let whole = &encoded(encode, vec![call.clone()], false)[0];
        assert_eq!(whole.pointer(name), Some(&json!("read")), "{whole}");
        let input = whole.pointer(input).unwrap();
        let input = input.as_str().map_or_else(|| input.clone(), |text| serde_json::from_str(text).unwrap());
        assert_eq!(input, json!({"path": "a"}));
        let end = &encoded(encode, Vec::new(), false)[0];
        assert_eq!(end.pointer(text), Some(&json!(FINAL_TEXT)), "{end}");

        for (call, mark) in [(vec![call.clone()], "read"), (Vec::new(), FINAL_TEXT)] {
            let events = encoded(encode, call, true);
            assert!(events.iter().any(|event| event.to_string().contains(mark)), "{events:?}");
        }
    }
}

#[test]
fn parallel_calls_share_a_reply_and_have_ids_of_their_own() {
    let call = |name: &str| Call::new(name, json!({}));
    let script = Script {
        calls: vec![call("a"), call("b").in_parallel(), call("c")],
        subagent: Vec::new(),
        ..Script::default()
    };
    let conversation = Conversation { offered: vec!["a".to_owned()], ..Conversation::default() };
    let calls = script.next_calls(&conversation);
    assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    for (encode, list, id) in [
        (messages::encode as Encode, "/content", "/id"),
        (responses::encode, "/output", "/call_id"),
        (chat_completions::encode, "/choices/0/message/tool_calls", "/id"),
        (generate_content::encode, "/candidates/0/content/parts", "/functionCall/name"),
    ] {
        let whole = &encoded(encode, calls.clone(), false)[0];
        let ids: Vec<_> = items(whole.pointer(list).unwrap()).iter().map(|item| item.pointer(id)).collect();
        assert!(matches!(ids.as_slice(), [Some(one), Some(other)] if one != other), "{whole}");
        let events = encoded(encode, calls.clone(), true);
        let text = Value::from(events).to_string();
        assert!(text.contains("\"a\"") && text.contains("\"b\""), "{text}");
    }
}

#[test]
fn a_text_for_codex_is_a_custom_tool_call_and_a_server_is_a_namespace() {
    let patch =
        Call { arguments: Arguments::Text("*** Begin Patch".into()), ..Call::new("apply_patch", json!({})) };
    let item = &encoded(responses::encode, vec![patch], false)[0]["output"][0];
    assert_eq!((&item["type"], &item["input"]), (&json!("custom_tool_call"), &json!("*** Begin Patch")));
    let tool = Call { namespace: Some("mcp__a"), ..Call::new("b", json!({})) };
    let item = &encoded(responses::encode, vec![tool], false)[0]["output"][0];
    assert_eq!((&item["name"], &item["namespace"]), (&json!("b"), &json!("mcp__a")));
}

#[test]
fn a_question_with_a_schema_gets_a_fitting_object() {
    let schema = json!({"properties": {
        "next_speaker": {"type": "string", "enum": ["model", "user"]},
        "reasoning": {"type": "STRING"},
        "score": {"type": "integer"},
    }});
    let body = json!({"generationConfig": {"responseJsonSchema": schema}});
    let answer = generate_content::encode(
        &body,
        &Reply { number: 1, calls: Vec::new(), n_tokens: 100, is_streamed: false },
    );
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    let text = answer["candidates"][0]["content"]["parts"][0]["text"].as_str().unwrap();
    let object: Value = serde_json::from_str(text).unwrap();
    assert_eq!(object, json!({"next_speaker": "user", "reasoning": "ok", "score": 0}));
}

#[test]
fn the_server_answers_over_tcp_and_remembers_the_requests() {
    use std::io::{Read as _, Write as _};
    let model = Model::start().unwrap();
    model.play(Script {
        calls: vec![Call::new("read", json!({}))],
        subagent: Vec::new(),
        ..Script::default()
    });
    let body =
        json!({"tools": [{"name": "read"}], "messages": [{"role": "user", "content": "PROMPT"}]}).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", model.port)).unwrap();
    write!(stream, "POST /v1/messages?beta=true HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        .unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    let requests = model.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].called, ["read"]);
    model.play(Script::default());
    assert_eq!(model.requests().len(), 0);
}
