//! Tests of which calls need an intent, and which paths of a call are judged.

use event::{Access, CommandLine, Dialect, ToolCall, ToolKind, Touch};
use intent::{Gate, GateDecision, Intent, Protected, Scope};
use serde_json::Value;

use crate::sandbox::{Sandbox, intent};

fn call(kind: ToolKind, touches: &[(&str, Access)]) -> ToolCall {
    let touch = |(path, access): &(&str, Access)| Touch { path: (*path).to_owned(), access: *access };
    ToolCall {
        id: None,
        name: "tool".into(),
        kind,
        input: Value::Null,
        touches: touches.iter().map(touch).collect(),
        command: None,
        content: None,
    }
}

fn shell_call(command: &str) -> ToolCall {
    let line = CommandLine { text: command.to_owned(), cwd: None, dialect: Dialect::Posix };
    ToolCall { command: Some(line), ..call(ToolKind::Shell, &[]) }
}

/// Returns the judgement of a call in one word, with the refused paths.
fn word(sandbox: &Sandbox, call: &ToolCall, intent: Option<&Intent>) -> String {
    let scope = Scope::open(&sandbox.root, Protected::with([".claude/settings.json"]));
    let cwd = sandbox.root.to_string();
    let reading = call.command.as_ref().map(|command| shell::read(&command.text, &shell::Place::at(&cwd)));
    let gate = Gate { scope: &scope, cwd: &sandbox.root };
    match gate.judge(call, reading.as_ref(), intent).decision {
        GateDecision::Pass => "pass".into(),
        GateDecision::UnknownWrites { .. } => "look afterwards".into(),
        GateDecision::NeedsIntent => "needs an intent".into(),
        GateDecision::Violations(all) => {
            let paths: Vec<_> = all.iter().map(|it| it.path.replace(&format!("{cwd}/"), "")).collect();
            format!("violation: {}", paths.join(", "))
        }
    }
}

#[test]
fn calls_that_write_need_an_intent_and_others_do_not() {
    let sandbox = Sandbox::new();
    let write = [("src/a.ts", Access::Write)];
    for (call, expected) in [
        (call(ToolKind::Write, &write), "needs an intent"),
        (call(ToolKind::Write, &[]), "needs an intent"),
        (call(ToolKind::Mcp { server: "x".into(), tool: "y".into() }, &write), "needs an intent"),
        (call(ToolKind::Unknown, &write), "needs an intent"),
        (call(ToolKind::Unknown, &[]), "look afterwards"),
        (
            call(ToolKind::Mcp { server: "steersman".into(), tool: "list_intents".into() }, &[]),
            "look afterwards",
        ),
        (call(ToolKind::Read, &[("/etc/passwd", Access::Read)]), "pass"),
        (call(ToolKind::Search, &[]), "pass"),
        (call(ToolKind::Fetch, &[]), "pass"),
        (call(ToolKind::Subagent, &[]), "pass"),
        (call(ToolKind::Harmless, &[]), "pass"),
        (shell_call("ls -la | grep x"), "pass"),
        (shell_call("cat a > /dev/null"), "pass"),
        (shell_call("echo x > src/a"), "needs an intent"),
        (shell_call("make"), "needs an intent"),
        (shell_call("python x.py"), "needs an intent"),
        (shell_call("echo 'unclosed"), "needs an intent"),
        (ToolCall { command: None, ..shell_call("") }, "needs an intent"),
    ] {
        assert_eq!(word(&sandbox, &call, None), expected, "{call:?}");
    }
}

#[test]
fn every_path_of_a_call_is_judged() {
    let sandbox = Sandbox::new();
    let intent = intent(&["src/**"]);
    for (touches, expected) in [
        (&[("src/a", Access::Write), ("src/b", Access::Delete)][..], "pass"),
        (&[("src/a", Access::Write), ("lib/b", Access::Write)], "violation: lib/b"),
        (&[("src/a", Access::Delete), ("lib/b", Access::Write)], "violation: lib/b"),
        (&[("lib/a", Access::Delete), ("src/b", Access::Write)], "violation: lib/a"),
        (&[("lib/a", Access::Read), ("src/b", Access::Write)], "pass"),
        (&[("src/dir", Access::CreateDir), ("lib", Access::CreateDir)], "violation: lib"),
        (
            &[("lib/a", Access::Write), ("lib/a", Access::Write), ("/etc/x", Access::Write)],
            "violation: lib/a, /etc/x",
        ),
    ] {
        assert_eq!(word(&sandbox, &call(ToolKind::Write, touches), Some(&intent)), expected, "{touches:?}");
    }
}

#[test]
fn what_a_command_writes_is_judged_like_any_other_write() {
    let sandbox = Sandbox::with(&[
        ("src/a.ts", ""),
        ("src/b.ts", ""),
        ("lib/c.ts", ""),
        ("lib/d.ts", ""),
        (".ai/hooks/config.json", ""),
        (".claude/settings.json", ""),
    ]);
    let intent = intent(&["src/**"]);
    for (command, expected) in [
        ("echo x > src/a.ts", "pass"),
        ("echo x > src/a.ts 2>/dev/null", "pass"),
        ("echo x > lib/c.ts", "violation: lib/c.ts"),
        ("echo x >> lib/c.ts", "violation: lib/c.ts"),
        ("echo x | tee src/a.ts lib/c.ts", "violation: lib/c.ts"),
        ("cp src/a.ts lib/new.ts", "violation: lib/new.ts"),
        ("cp lib/c.ts src/new.ts", "pass"),
        ("mv lib/c.ts src/c.ts", "violation: lib/c.ts"),
        ("mv src/a.ts src/z.ts", "pass"),
        ("rm src/a.ts", "pass"),
        ("rm lib/c.ts", "violation: lib/c.ts"),
        ("rm -rf src/sub", "pass"),
        ("rm lib/*.ts", "violation: lib/c.ts, lib/d.ts"),
        ("rm src/*.ts", "pass"),
        ("sed -i s/a/b/ lib/c.ts", "violation: lib/c.ts"),
        ("touch lib/new", "violation: lib/new"),
        ("mkdir -p src/deep/er", "pass"),
        ("mkdir lib/x", "violation: lib/x"),
        ("ln -s ../lib src/l", "pass"),
        ("ln lib/c.ts src/l", "violation: lib/c.ts"),
        ("ln src/a.ts src/l", "pass"),
        ("cp -al lib src/l", "violation: lib"),
        ("tar -xf x.tar -C src", "pass"),
        ("tar -xf x.tar -C lib", "violation: lib"),
        ("unzip x.zip -d src", "pass"),
        ("unzip x.zip", "violation: ."),
        ("rsync -a lib/ src/", "pass"),
        ("rsync -a src/ lib/", "violation: lib"),
        ("split -l 10 src/a lib/part-", "violation: lib/part-aa"),
        ("cd lib && split -n 4 ../src/a", "violation: lib/xaa"),
        ("split -b 1M src/a --filter='tee lib/$FILE'", "violation: lib"),
        ("csplit -f lib/x src/a 3", "violation: lib/x00"),
        ("git checkout -- lib/c.ts", "violation: lib/c.ts"),
        ("git restore lib/c.ts", "violation: lib/c.ts"),
        ("git mv lib/c.ts src/d.ts", "violation: lib/c.ts"),
        ("git rm -r lib", "violation: lib"),
        ("git apply p.patch", "look afterwards"),
        ("curl -o lib/x https://example.org", "violation: lib/x"),
        ("wget -O lib/x https://example.org", "violation: lib/x"),
        ("install -m 644 src/a.ts lib/b.ts", "violation: lib/b.ts"),
        ("find lib -exec sed -i s/a/b/ {} \\;", "violation: lib"),
        ("find src -type f -exec rm {} +", "pass"),
        ("ls lib | xargs rm", "violation: lib/c.ts, lib/d.ts"),
        ("python -c \"open('lib/c.ts','w')\"", "violation: lib/c.ts"),
        ("perl -pi -e s/a/b/ lib/c.ts", "violation: lib/c.ts"),
        ("truncate -s 0 lib/c.ts", "violation: lib/c.ts"),
        ("sort -o lib/c.ts src/a.ts", "violation: lib/c.ts"),
        ("awk '{print > \"lib/o\"}' src/a.ts", "violation: lib/o"),
        ("ln -s /etc src/e && echo x > src/e/passwd", "violation: /etc/passwd"),
        ("echo $(rm lib/c.ts)", "violation: lib/c.ts"),
        ("cat <<E > lib/c.ts\nx\nE", "violation: lib/c.ts"),
        ("rm -rf \"$PWD/lib\"", "violation: lib"),
        ("git commit -m x", "pass"),
        ("ssh host rm x", "pass"),
        ("dd if=/dev/zero of=lib/c.ts", "violation: lib/c.ts"),
        ("cd lib && echo x > c.ts", "violation: lib/c.ts"),
        ("cd src && echo x > ../lib/c.ts", "violation: lib/c.ts"),
        ("bash -c 'echo x > lib/c.ts'", "violation: lib/c.ts"),
        ("echo x > .ai/hooks/config.json", "violation: .ai/hooks/config.json"),
        ("rm -rf .claude", "violation: .claude"),
        ("echo x > /tmp/x", "violation: /tmp/x"),
        ("echo x > ../x", "violation: ../x"),
        ("echo x > src/$NAME.ts", "pass"),
        ("make", "look afterwards"),
        ("npm run build", "look afterwards"),
        ("python x.py > lib/out", "violation: lib/out"),
        ("echo x > \"$FILE\"", "look afterwards"),
        ("git status", "pass"),
        ("find . -name '*.ts' -delete", "violation: ."),
    ] {
        let said = word(&sandbox, &shell_call(command), Some(&intent));
        let said = said.replace(&sandbox.at("..").to_string(), "..");
        assert_eq!(said, expected, "{command}");
    }
}

#[test]
fn a_refusal_is_in_the_documents_words() {
    let refusal = GateDecision::NeedsIntent.refusal().unwrap();
    assert!(
        refusal.starts_with("No active intent selected. Please call select_active_intent first.\nhint: ")
    );
}
