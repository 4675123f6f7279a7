//! Tests of all known ways to evade a scope: none of them works.
#![cfg(unix)]

use event::Access;
use intent::{Protected, Reach, Scope, Target, ViolationReason};

use crate::sandbox::{Sandbox, intent};

/// A workspace with links of every kind in and out of the scope `src/**`.
fn workspace() -> Sandbox {
    let sandbox = Sandbox::with(&[
        ("src/a.ts", "a"),
        ("src/sub/b.ts", "b"),
        ("lib/c.ts", "c"),
        ("../outside/d.ts", "d"),
        ("../work-evil/e.ts", "e"),
        (".ai/hooks/config.json", "{}"),
        (".orchestration/active_intents.yaml", "intents: []"),
        (".claude/settings.json", "{}"),
        (".intentignore", "*.pem\n/src/frozen/\nsrc/gen*.ts\n"),
        ("src/frozen/x.ts", ""),
    ]);
    sandbox.link("src/to_lib", "../lib");
    sandbox.link("src/to_lib_file.ts", "../lib/c.ts");
    sandbox.link("src/to_outside", "../../outside");
    sandbox.link("src/to_outside_file.ts", "../../outside/d.ts");
    sandbox.link("src/to_new_outside.ts", "../../outside/new.ts");
    sandbox.link("src/to_root", "/");
    sandbox.link("src/to_home", "/home");
    sandbox.link("src/to_ai", "../.ai");
    sandbox.link("src/to_intents.yaml", "../.orchestration/active_intents.yaml");
    sandbox.link("src/to_settings.json", "../.claude/settings.json");
    sandbox.link("src/to_sub", "sub");
    sandbox.link("src/chain1", "chain2");
    sandbox.link("src/chain2", "to_outside");
    sandbox.link("src/loop", "loop");
    sandbox.link("src/to_frozen", "frozen");
    sandbox.link("src/back", "../src");
    sandbox.link("lib/to_src", "../src");
    sandbox.link("link_to_work", "../work");
    std::fs::hard_link(sandbox.at(".ai/hooks/config.json").as_path(), sandbox.at("src/twin.json").as_path())
        .unwrap();
    std::fs::hard_link(sandbox.at("src/a.ts").as_path(), sandbox.at("src/fine_twin.ts").as_path()).unwrap();
    sandbox
}

/// Returns the judgement of a path in one word.
fn word(sandbox: &Sandbox, path: &str) -> &'static str {
    let scope = Scope::open(&sandbox.root, Protected::with([".claude/settings.json"]));
    let path = path.replace("$W", &sandbox.root.to_string());
    let target = Target::new(&path, &sandbox.root, Access::Write, Reach::Itself);
    match scope.check(&target, &intent(&["src/**", "docs/*.md", "caf\u{e9}/**", "**/.ai/**", ".claude/**"])) {
        Ok(_) => "pass",
        Err(violation) => match violation.why {
            ViolationReason::OutOfScope { .. } => "out of scope",
            ViolationReason::LeadsOutOfScope { .. } => "leads out of scope",
            ViolationReason::Outside => "outside",
            ViolationReason::LeadsOutside { .. } => "leads outside",
            ViolationReason::Ignored { .. } => "ignored",
            ViolationReason::Protected { .. } => "protected",
            ViolationReason::Unclear { .. } => "unclear",
        },
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table")]
fn no_path_evades_the_scope() {
    let sandbox = workspace();
    for (path, expected) in [
        // Paths that must pass.
        ("src/a.ts", "pass"),
        ("src/new.ts", "pass"),
        ("src/new/deep/er.ts", "pass"),
        ("./src/a.ts", "pass"),
        ("src//a.ts", "pass"),
        ("src/./sub/../a.ts", "pass"),
        ("lib/../src/a.ts", "pass"),
        ("$W/src/a.ts", "pass"),
        ("$W/lib/../src/a.ts", "pass"),
        ("../work/src/a.ts", "pass"),
        ("file://$W/src/a.ts", "pass"),
        ("src/to_sub/b.ts", "pass"),
        ("src/back/a.ts", "pass"),
        ("src/.hidden", "pass"),
        ("src/fine_twin.ts", "pass"),
        ("docs/x.md", "pass"),
        ("caf\u{e9}/x", "pass"),
        ("cafe\u{301}/x", "pass"),
        ("src/…/x", "pass"),
        ("src/a b.ts", "pass"),
        ("src/back/back/back/a.ts", "pass"),
        ("src", "pass"), // all of it is in scope
        ("src/", "pass"),
        // Out of scope.
        ("lib/c.ts", "out of scope"),
        ("docs", "out of scope"),
        ("lib", "out of scope"),
        ("srcs/a.ts", "out of scope"),
        ("src.ts", "out of scope"),
        ("SRC/a.ts", "out of scope"),
        ("Src/a.ts", "out of scope"),
        ("ｓｒｃ/a.ts", "out of scope"),
        ("s\u{200b}rc/a.ts", "out of scope"),
        ("docs/deep/x.md", "out of scope"),
        ("docs/x.MD", "out of scope"),
        ("docs/x.md.bak", "out of scope"),
        ("cafe/x", "out of scope"),
        ("cafe\u{300}/x", "out of scope"),
        ("src/../lib/c.ts", "out of scope"),
        ("src/sub/../../lib/c.ts", "out of scope"),
        ("$W/lib/c.ts", "out of scope"),
        ("$W/src/../package.json", "out of scope"),
        ("package.json", "out of scope"),
        (".", "out of scope"),
        ("$W", "out of scope"),
        ("src\\..\\lib\\c.ts", "out of scope"),
        ("lib/to_src/a.ts", "out of scope"),
        ("link_to_work/src/a.ts", "out of scope"),
        (" src/a.ts", "out of scope"),
        ("~root/x", "out of scope"),
        // Links to other places.
        ("src/to_lib/c.ts", "leads out of scope"),
        ("src/to_lib/new.ts", "leads out of scope"),
        ("src/to_lib_file.ts", "leads out of scope"),
        ("src/to_lib/../x.ts", "leads out of scope"),
        ("src/sub/../to_lib/c.ts", "leads out of scope"),
        ("src/to_outside/d.ts", "leads outside"),
        ("src/to_outside/new/deep.ts", "leads outside"),
        ("src/to_outside/../x.ts", "leads outside"),
        ("src/to_outside_file.ts", "leads outside"),
        ("src/to_new_outside.ts", "leads outside"),
        ("src/to_root/etc/passwd", "leads outside"),
        ("src/to_home/x", "leads outside"),
        ("src/chain1/d.ts", "leads outside"),
        ("src/back/to_outside/d.ts", "leads outside"),
        ("src/loop/x", "unclear"),
        ("src/loop", "unclear"),
        // Outside the workspace.
        ("/etc/passwd", "outside"),
        ("../outside/d.ts", "outside"),
        ("../work-evil/e.ts", "outside"),
        ("src/../../outside/d.ts", "outside"),
        ("src/../../../../../../../../../etc/passwd", "outside"),
        ("$W/../outside/d.ts", "outside"),
        ("$W-evil/e.ts", "outside"),
        ("/proc/self/cwd/src/a.ts", "outside"),
        ("/proc/self/root$W/src/a.ts", "outside"),
        ("~/x", "outside"),
        ("~", "outside"),
        ("file:///etc/passwd", "outside"),
        ("file://$W/src/%2e%2e/%2e%2e/outside/d.ts", "outside"),
        ("..", "outside"),
        ("/", "outside"),
        // Files that govern the agent.
        (".ai/hooks/config.json", "protected"),
        (".AI/hooks/config.json", "protected"),
        (".Ai/x", "protected"),
        (".ai./x", "protected"),
        (".a\u{200d}i/x", "protected"),
        (".ａi/x", "protected"),
        ("src/../.ai/x", "protected"),
        ("$W/.ai/tmp/x", "protected"),
        (".orchestration/active_intents.yaml", "protected"),
        (".orchestration/agent_trace.jsonl", "protected"),
        (".ORCHESTRATION/new", "protected"),
        (".claude/settings.json", "protected"),
        (".claude/SETTINGS.json", "protected"),
        (".claude/../.claude/settings.json", "protected"),
        (".intentignore", "protected"),
        (".IntentIgnore", "protected"),
        ("src/to_ai/hooks/config.json", "protected"),
        ("src/to_intents.yaml", "protected"),
        ("src/to_settings.json", "protected"),
        ("src/twin.json", "protected"),
        (".claude/commands/x.md", "pass"),
        // Ignored files.
        ("src/key.pem", "ignored"),
        ("src/deep/key.pem", "ignored"),
        ("src/frozen/x.ts", "ignored"),
        ("src/frozen/new.ts", "ignored"),
        ("src/to_frozen/x.ts", "ignored"),
        ("src/generated.ts", "ignored"),
        ("src/./generated.ts", "ignored"),
        ("lib/../src/frozen/x.ts", "ignored"),
        ("src/back/frozen/x.ts", "ignored"),
        // Ambiguous paths.
        ("", "unclear"),
        ("   ", "unclear"),
        ("src/a\0.ts", "unclear"),
        ("vscode-remote://ssh/x", "unclear"),
        ("https://example.org/src/a.ts", "unclear"),
    ] {
        assert_eq!(word(&sandbox, path), expected, "{path:?}");
    }
}

#[test]
fn what_takes_everything_below_needs_everything_below() {
    let sandbox = workspace();
    let scope = Scope::open(&sandbox.root, Protected::with([".claude/settings.json"]));
    for (path, access, scope_of, passes) in [
        ("src/sub", Access::Delete, &["src/**"][..], true),
        ("src/sub", Access::Delete, &["src/*"], false),
        ("src", Access::Delete, &["src/**"], false), // `.intentignore` keeps src/frozen
        ("lib", Access::Delete, &["lib/**"], true),
        ("lib", Access::Delete, &["lib/*.ts"], false),
        (".", Access::Delete, &["**"], false),
        (".claude", Access::Delete, &["**"], false),
        ("lib", Access::Write, &["lib/**/*.ts"], false),
        ("lib", Access::Write, &["**"], true),
    ] {
        let target = Target::new(path, &sandbox.root, access, Reach::Below);
        assert_eq!(scope.check(&target, &intent(scope_of)).is_ok(), passes, "{path} {access:?} {scope_of:?}");
    }
}

#[test]
fn folders_on_the_way_to_the_scope_can_be_made() {
    let sandbox = workspace();
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    for (path, passes) in [
        ("app", true),
        ("app/ui", true),
        ("app/ui/x", true),
        ("app/other", false),
        ("apps", false),
        (".", false),
    ] {
        let target = Target::new(path, &sandbox.root, Access::CreateDir, Reach::Itself);
        assert_eq!(scope.check(&target, &intent(&["app/ui/**"])).is_ok(), passes, "{path}");
    }
}

#[test]
fn a_workspace_that_is_itself_behind_a_link_is_the_same_workspace() {
    let sandbox = Sandbox::with(&[("src/a.ts", "")]);
    sandbox.link("../alias", "work");
    let alias = sandbox.at("../alias");
    let scope = Scope::open(&alias, Protected::with([]));
    for path in ["src/a.ts".to_owned(), format!("{alias}/src/a.ts"), format!("{}/src/a.ts", sandbox.root)] {
        let target = Target::new(&path, &alias, Access::Write, Reach::Itself);
        let located = scope.check(&target, &intent(&["src/**"])).unwrap();
        assert_eq!((located.written.as_str(), located.real.as_str()), ("src/a.ts", "src/a.ts"));
    }
}

#[test]
fn a_violation_says_the_documents_words_and_what_to_do() {
    let sandbox = workspace();
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let target = Target::new("lib/c.ts", &sandbox.root, Access::Write, Reach::Itself);
    let violation = scope.check(&target, &intent(&["src/**", "docs/*.md"])).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "Scope Violation: INT-001 is not authorized to edit lib/c.ts. Request scope expansion.\n\
         hint: INT-001 may write src/**, docs/*.md; call request_scope_expansion, or ask a person to run \
         `steersman intent expand INT-001 \"lib/c.ts\"`"
    );
}

#[test]
fn with_rules_that_cannot_be_read_nothing_is_written() {
    let sandbox = Sandbox::with(&[("src/a.ts", ""), (".intentignore/x", "")]);
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let target = Target::new("src/a.ts", &sandbox.root, Access::Write, Reach::Itself);
    let violation = scope.check(&target, &intent(&["src/**"])).unwrap_err();
    assert!(violation.hint().contains("cannot read .intentignore"), "{violation}");
}
