//! Shapes of arguments that servers use, and those that only look alike.

use super::*;
use serde_json::json;

fn arguments(tool: &str, input: &Value) -> Vec<Argument> {
    super::arguments(ToolName::of(tool), input)
}

fn path(text: &str) -> Argument {
    Argument::Path(text.into())
}

#[test]
fn a_path_is_found_under_any_name_and_at_any_depth() {
    for input in [
        json!({"path": "~/.ssh/id_rsa"}),
        json!({"filePath": "~/.ssh/id_rsa"}),
        json!({"target-file": "~/.ssh/id_rsa"}),
        json!({"uri": "file://~/.ssh/id_rsa"}),
        json!({"options": {"files": ["~/.ssh/id_rsa"]}}),
        json!({"anything": "~/.ssh/id_rsa"}),
        json!([{"a": [{"b": "~/.ssh/id_rsa"}]}]),
    ] {
        assert_eq!(arguments("x", &input), [path("~/.ssh/id_rsa")], "{input}");
    }
    assert_eq!(arguments("x", &json!({"uri": "file:///etc/pass%77d"})), [path("/etc/passwd")]);
}

#[test]
fn commands_statements_and_addresses_are_told_apart() {
    let command = |line: &str| Argument::Command(line.into());
    let line = json!({"program": "rm", "args": ["-rf", "a b"]});
    assert_eq!(arguments("x", &line), [command("rm -rf 'a b'")]);
    assert_eq!(arguments("x", &json!({"steps": [{"script": "ls"}]})), [command("ls")]);
    assert_eq!(arguments("run_python", &json!({"code": "print(1)"})), [command("python3 -c 'print(1)'")]);
    let sql = "DROP TABLE a";
    assert_eq!(arguments("x", &json!({"query": sql})), [Argument::Statement(sql.into())]);
    let url = "https://a.org/x";
    assert_eq!(arguments("x", &json!({"to": url})), [Argument::Address(url.into())]);
    assert_eq!(arguments("x", &json!({"url": "//a.org/x"})), [Argument::Address(url.into())]);
}

#[test]
fn prose_and_questions_are_nothing() {
    for input in [
        json!({"query": "how to drop a table"}),
        json!({"content": "/etc/passwd is a file"}),
        json!({"text": "rm -rf /"}),
        json!({"owner": "me", "repo": "x", "issue": 5}),
        json!({"pattern": "/etc/.*"}),
    ] {
        assert_eq!(arguments("x", &input), [], "{input}");
    }
}

#[test]
fn lines_are_found_by_the_words_of_the_tool_and_by_the_language() {
    let last = |tool: &str, input: Value| {
        let found = arguments(tool, &input);
        let mut lines = found.iter().rev().filter_map(|it| match it {
            Argument::Command(line) => Some(line.clone()),
            _ => None,
        });
        lines.next().unwrap_or_else(|| format!("{found:?}"))
    };
    for (tool, input, line) in [
        ("exec", json!({"argv": ["rm", "-rf", "/"]}), "rm -rf /"),
        ("git", json!({"args": ["push", "-f"]}), "git push -f"),
        ("kubectl", json!({"command": "delete ns prod"}), "kubectl delete ns prod"),
        ("kubectl", json!({"command": "kubectl get pods"}), "kubectl get pods"),
        ("redis_command", json!({"command": "FLUSHALL"}), "redis-cli FLUSHALL"),
        ("mongo", json!({"command": "db.x.drop()"}), "mongosh --eval 'db.x.drop()'"),
        ("sendTerminalInput", json!({"input": "rm -rf /\n"}), "rm -rf /"),
        ("run_in_terminal", json!({"text": "rm -rf ~"}), "rm -rf ~"),
        ("execute_code", json!({"language": "python", "code": "f()"}), "python3 -c 'f()'"),
        ("run_code", json!({"lang": "bash", "source": "rm -rf /"}), "bash -c 'rm -rf /'"),
        ("evaluate", json!({"code": "require('fs')"}), r"node -e 'require('\''fs'\'')'"),
        ("run_python_code", json!({"python_code": "f()"}), "python3 -c 'f()'"),
        ("git_push", json!({"branch": "main", "force": true}), "git push --force origin main"),
        ("git_reset", json!({"mode": "hard"}), "git reset --hard"),
        (
            "run_container",
            json!({"volumes": ["/:/x"], "privileged": true}),
            "docker run --privileged -v /:/x image",
        ),
        ("x", json!({"steps": [{"run": "ls"}, {"run": "rm -rf ~"}]}), "rm -rf ~"),
        ("x", json!({"cli_command": "aws s3 ls"}), "aws s3 ls"),
        ("x", json!({"params": "{\"command\": \"rm -rf ~\"}"}), "rm -rf ~"),
        ("x", json!({"dropDatabase": 1}), "mongosh --eval 'db.dropDatabase()'"),
    ] {
        assert_eq!(last(tool, input), line, "{tool}");
    }
}

#[test]
fn text_for_people_is_no_line_and_no_statement() {
    for (tool, input) in [
        ("notion_search", json!({"query": "delete users"})),
        ("docs_query", json!({"topic": "drop table"})),
        ("ask", json!({"q": "delete from the list"})),
        ("browser_type", json!({"text": "rm -rf /"})),
        ("issue", json!({"query": "update the readme"})),
    ] {
        assert_eq!(arguments(tool, &input), [], "{tool}");
    }
    let address = [Argument::Address("http://169.254.169.254/x".into())];
    assert_eq!(arguments("web_fetch", &json!({"prompt": "read http://169.254.169.254/x please"})), address);
}

#[test]
fn the_name_of_a_tool_tells_what_it_deletes() {
    assert_eq!(ToolName::of("delete_repository").deleted_thing(), Some("repository"));
    assert_eq!(ToolName::of("dropTable").deleted_thing(), Some("table"));
    for name in ["delete_file", "get_table", "delete_comment", "create_repository"] {
        assert_eq!(ToolName::of(name).deleted_thing(), None, "{name}");
    }
}

#[test]
fn the_server_and_the_input_tell_more_about_a_tool() {
    let typed = super::arguments(ToolName::of("type").at("term"), &json!({"text": "rm -rf /"}));
    assert_eq!(typed, [Argument::Command("rm -rf /".into())]);
    let kind = |input: Value| ToolName::of("delete").deleted_kind(&input);
    assert_eq!(kind(json!({"kind": "Namespaces", "name": "prod"})), Some("namespace"));
    assert_eq!(kind(json!({"kind": "pod"})), None);
    assert!(ToolName::of("chat").at("slack").sends() && ToolName::of("http_post").sends());
    assert!(!ToolName::of("write_file").at("fs").sends());
}
