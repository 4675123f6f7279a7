//! Ways around a scope: paths × tools × hosts × shells, every one of them refused, and as many
//! legitimate calls that have to pass.

use std::os::unix::fs::symlink;

use host::Host;
use serde_json::json;

use crate::hosts::{SHELLS, WRITING_TOOLS};
use crate::world::{Asker, World, refusal};

/// A workspace with links of every kind, under an intent whose scope is `src/**` and `docs/*.md`.
fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    for path in [
        "src/a.ts",
        "src/fine.ts",
        "src/sub/b.ts",
        "lib/c.ts",
        "lib/d.ts",
        "src/frozen/x.ts",
        "../elsewhere/d.ts",
        "../repo-evil/e.ts",
        ".claude/settings.json",
        "src/app/.claude/settings.json",
        "src/app/web/x.ts",
        "src/plugin/settings.json",
        "src/deps/node_modules/x/.vscode/settings.json",
    ] {
        world.write(path, "content\n");
    }
    world.write(".intentignore", "*.pem\n/src/frozen/\n");
    for (link, to) in [
        ("src/to_lib", "../lib"),
        ("src/to_lib_file.ts", "../lib/c.ts"),
        ("src/to_outside", "../../elsewhere"),
        ("src/to_new_outside.ts", "../../elsewhere/new.ts"),
        ("src/to_root", "/"),
        ("src/to_ai", "../.ai"),
        ("src/to_intents.yaml", "../.orchestration/active_intents.yaml"),
        ("src/chain1", "chain2"),
        ("src/chain2", "to_outside"),
        ("src/loop", "loop"),
        ("src/to_sub", "sub"),
        ("src/to_hooks", "../.git/hooks"),
    ] {
        symlink(to, world.path(link)).unwrap();
    }
    std::fs::hard_link(world.path(".orchestration/active_intents.yaml"), world.path("src/twin.yaml"))
        .unwrap();
    world
}

/// Paths that no intent of the workspace opens.
const FORBIDDEN_PATHS: &[&str] = &[
    "$W/lib/c.ts",
    "$W/lib/new/deep.ts",
    "$W/src/../lib/c.ts",
    "$W/src/sub/../../lib/c.ts",
    "$W/./lib//c.ts",
    "$W/SRC/a.ts",
    "$W/srcs/a.ts",
    "$W/ｓｒｃ/a.ts",
    "$W/s\u{200b}rc/a.ts",
    "$W/docs/deep/x.md",
    "$W/docs/x.MD",
    "$W/package.json",
    "$W/src/to_lib/c.ts",
    "$W/src/to_lib/new.ts",
    "$W/src/to_lib_file.ts",
    "$W/src/to_lib/../x.ts",
    "src/to_hooks/../hooks/pre-commit",
    "src/to_lib/../package.json",
    "src/chain1/../x.ts",
    "$W/src/to_outside/d.ts",
    "$W/src/to_outside/new/deep.ts",
    "$W/src/to_new_outside.ts",
    "$W/src/to_root/etc/passwd",
    "$W/src/chain1/d.ts",
    "$W/src/loop/x",
    "/etc/passwd",
    "/proc/self/cwd/src/a.ts",
    "$W/../elsewhere/d.ts",
    "$W-evil/e.ts",
    "$W/src/../../elsewhere/d.ts",
    "$W/.orchestration/active_intents.yaml",
    "$W/.ORCHESTRATION/active_intents.yaml",
    "$W/.orchestration/agent_trace.jsonl",
    "$W/.ai/hooks/config.json",
    "$W/.Ai/hooks/config.json",
    "$W/.ai/tmp/intent.json",
    "$W/.a\u{200d}i/tmp/intent.json",
    "$W/.intentignore",
    "$W/.claude/settings.json",
    "$W/.claude/settings.local.json",
    "$W/.github/hooks/steersman.json",
    "$W/.cursor/hooks.json",
    "$W/.codex/hooks.json",
    "$W/.gemini/settings.json",
    "$W/.qwen/settings.json",
    "$W/.vscode/settings.json",
    "$W/.claude/skills/build/SKILL.md",
    "$W/src/to_ai/hooks/config.json",
    "$W/src/to_intents.yaml",
    "$W/src/twin.yaml",
    "$W/src/key.pem",
    "$W/src/frozen/x.ts",
    "$W/src/frozen/new.ts",
    ".mcp.json",
    "src/../.vscode/mcp.json",
    ".cursor/mcp.json",
    ".github/mcp.json",
    "src/.mcp.json",
    "$W/src/sub/.mcp.json",
    "src/.claude/settings.local.json",
    "src/.cursor/hooks.json",
    "src/sub/.vscode/mcp.json",
    "src/.Gemini/settings.json",
    "src/new/.github/hooks/x.json",
    "src/.claude",
    "$W/src/sub/.Github",
];

/// Paths of the scope, in every spelling.
const FINE_PATHS: &[&str] = &[
    "$W/src/a.ts",
    "$W/src/new.ts",
    "$W/src/new/deep/er.ts",
    "$W/./src//a.ts",
    "$W/lib/../src/a.ts",
    "$W/src/to_sub/b.ts",
    "src/to_sub/../new.ts",
    "$W/src/.hidden",
    "$W/src/a b.ts",
    "$W/docs/x.md",
    "src/a.ts",
    "./src/a.ts",
];

/// Commands that write to paths that no intent opens.
const FORBIDDEN_COMMANDS: &[&str] = &[
    "echo x > lib/c.ts",
    "tee src/to_hooks/../hooks/pre-commit < src/a.ts",
    "cp src/a.ts src/to_outside/../x.ts",
    "echo x > src/to_lib/../x.ts",
    "cd src/to_lib && echo x > ../x.ts",
    "cd src && cp a.ts to_lib/../x.ts",
    "cd -P src/to_lib/.. && touch x.ts",
    "set -P; cd src/to_lib/..; touch x.ts",
    "cd src/to_lib/../lib && touch x.ts",
    "mkdir src/to_lib/../new",
    "mv src/a.ts src/chain1/../a.ts",
    "rm src/to_lib/../package.json",
    "python3 -c \"open('src/to_lib/../x.ts', 'w')\"",
    "ln -s to_lib/.. src/new && touch src/new/x.ts",
    "git -C src/to_lib/.. mv lib/c.ts x.ts",
    "echo x >> lib/c.ts",
    "echo x >| lib/c.ts",
    "echo x 2> lib/c.ts",
    "echo x &> lib/c.ts",
    ": > lib/c.ts",
    "cat <<E > lib/c.ts\nx\nE",
    "tee lib/c.ts < src/a.ts",
    "echo x | tee src/a.ts lib/c.ts",
    "cp src/a.ts lib/new.ts",
    "cp -r src lib/copy",
    "mv lib/c.ts src/c.ts",
    "mv src/a.ts lib/",
    "rm lib/c.ts",
    "rm -rf lib",
    "rm lib/*.ts",
    "sed -i s/a/b/ lib/c.ts",
    "perl -pi -e s/a/b/ lib/c.ts",
    "touch lib/new",
    "mkdir lib/x",
    "mkdir -p lib/x/y",
    "ln lib/c.ts src/l",
    "ln -sf ../lib/c.ts lib/l",
    "cp -al lib src/l",
    "dd if=/dev/zero of=lib/c.ts count=1",
    "install -m 644 src/a.ts lib/b.ts",
    "rsync -a src/ lib/",
    "split -l 10 src/a lib/part-",
    "csplit -f lib/x src/a 3",
    "uniq src/a lib/z",
    "apply_patch <<'E'\n*** Begin Patch\n*** Add File: lib/z\n+x\n*** End Patch\nE",
    "gawk -i inplace 1 lib/a",
    "awk -v n=1 'BEGIN{print n > \"lib/z\"}'",
    "xxd -r src/a lib/z",
    "mktemp -p lib",
    "curl -D lib/z https://x.example",
    "strace -o lib/z ls",
    "script -qc ls lib/z",
    "python3 -m json.tool src/a lib/z",
    "truncate -s 0 lib/c.ts",
    "sort -o lib/c.ts src/a.ts",
    "tar -xf x.tar -C lib",
    "unzip x.zip -d lib",
    "curl -o lib/x https://example.org",
    "wget -O lib/x https://example.org",
    "git checkout -- lib/c.ts",
    "git restore lib/c.ts",
    "git mv lib/c.ts src/d.ts",
    "git rm -r lib",
    "find lib -delete",
    "find lib -exec sed -i s/a/b/ {} \\;",
    "ls lib | xargs rm",
    "echo lib/c.ts | xargs rm",
    "bash -c 'echo x > lib/c.ts'",
    "sh -c \"rm lib/c.ts\"",
    "env X=1 rm lib/c.ts",
    "nohup rm lib/c.ts",
    "time rm lib/c.ts",
    "eval 'rm lib/c.ts'",
    "(cd lib && rm c.ts)",
    "cd lib && echo x > c.ts",
    "cd src && echo x > ../lib/c.ts",
    "pushd lib && touch new",
    "X=lib/c.ts; echo x > $X",
    "echo x > \"$PWD/lib/c.ts\"",
    "for f in lib/c.ts; do rm $f; done",
    "if true; then rm lib/c.ts; fi",
    "f() { rm lib/c.ts; }; f",
    "true && rm lib/c.ts",
    "false || rm lib/c.ts",
    "ls; rm lib/c.ts",
    "rm lib/c.ts &",
    "echo $(rm lib/c.ts)",
    "echo `rm lib/c.ts`",
    "cat <(rm lib/c.ts)",
    "r''m lib/c.ts",
    "\\rm lib/c.ts",
    "$(echo rm) lib/c.ts",
    "python3 -c \"open('lib/c.ts','w')\"",
    "awk '{print > \"lib/o\"}' src/a.ts",
    "echo x > src/to_lib/c.ts",
    "echo x > src/to_lib_file.ts",
    "echo x > src/to_outside/d.ts",
    "echo x > src/key.pem",
    "echo x > src/frozen/x.ts",
    "rm -rf src",
    "echo x > /opt/steersman-evasion",
    "echo x > ../elsewhere/d.ts",
    "echo x > ~/x",
    "echo x > .orchestration/active_intents.yaml",
    "rm -rf .orchestration",
    "mv .orchestration .gone",
    "echo '{}' > .ai/hooks/config.json",
    "rm -r .ai",
    "echo x > .intentignore",
    "echo '{}' > .claude/settings.json",
    "rm -rf .claude",
    "echo x > .github/hooks/steersman.json",
    "rm -rf .",
    "find . -name '*.ts' -delete",
    "rm -rf src/app",
    "rm -r src/app/.claude",
    "mv src/app src/gone",
    "git mv src/app src/gone",
    "git rm -r src/app",
    "find src/app -delete",
    "python3 -c \"import shutil; shutil.rmtree('src/app')\"",
    "mv src/plugin src/.claude",
    "cp -r src/plugin src/sub/.claude",
    "ln -s plugin src/.claude",
    "tar -xf src/a.tar -C src/app/.claude",
];

/// Commands that write what the intent includes, or nothing.
const FINE_COMMANDS: &[&str] = &[
    "ls -la",
    "cat lib/c.ts",
    "grep -rn x . | head -20",
    "git status && git diff",
    "find . -name '*.ts'",
    "cat lib/c.ts > /dev/null 2>&1",
    "wc -l lib/*.ts",
    "echo x > src/a.ts",
    "cp lib/c.ts src/new.ts",
    "mv src/a.ts src/z.ts",
    "rm src/a.ts",
    "rm -rf src/sub",
    "rm -rf src/app/web",
    "rm -rf src/deps",
    "mkdir -p src/.claude/rules",
    "cp src/a.ts src/app/.claude/",
    "mkdir -p src/deep/er",
    "mkdir docs",
    "sed -i s/a/b/ src/a.ts",
    "touch docs/x.md",
    "cd src && echo x > a.ts",
    "cd src/to_lib/.. && echo x > a.ts",
    "cd src/to_sub && echo x > ../a.ts",
    "echo x > src/to_sub/../a.ts",
    "echo x > lib/../src/a.ts",
    "make",
    "npm test",
    "cargo build",
    "python3 tool.py",
    "git commit -m 'rm -rf lib'",
    "echo 'rm -rf lib > lib/c.ts'",
];

fn asker(world: &World, host: Host) -> Asker<'_> {
    Asker { world, host, session: "s", agent: None }
}

/// Returns the text before our reason.
fn is_ours(reason: &str) -> bool {
    ["Scope Violation: INT-001 is not authorized to edit ", "No active intent selected. "]
        .iter()
        .any(|text| reason.starts_with(text))
}

#[test]
fn no_path_evades_the_scope_whichever_tool_of_whichever_host() {
    let world = world();
    let root = world.sandbox.root().to_str().unwrap().to_owned();
    let mut n_cases = 0;
    for (index, tool) in WRITING_TOOLS.iter().enumerate() {
        // Every tool meets many of the paths, and every path many of the tools.
        for (at, path) in FORBIDDEN_PATHS.iter().enumerate().filter(|(at, _)| (at + index) % 4 == 0) {
            let input = tool.input(&root, path);
            let answer = asker(&world, tool.host).before(&format!("{index}-{at}"), tool.tool, &input);
            let reason = refusal(&answer);
            assert!(reason.as_deref().is_some_and(is_ours), "{} {} {path:?}: {answer}", tool.host, tool.tool);
            n_cases += 1;
        }
    }
    assert!(n_cases >= 300, "{n_cases} cases");
}

#[test]
fn every_path_is_tried_with_the_plainest_tool() {
    let world = world();
    let root = world.sandbox.root().to_str().unwrap().to_owned();
    for (at, path) in FORBIDDEN_PATHS.iter().enumerate() {
        let input = WRITING_TOOLS[0].input(&root, path);
        let answer = asker(&world, Host::ClaudeCode).before(&at.to_string(), "Write", &input);
        assert!(refusal(&answer).as_deref().is_some_and(is_ours), "{path:?}: {answer}");
    }
}

#[test]
fn no_command_evades_the_scope() {
    let world = world();
    let mut n_cases = 0;
    for (index, (host, tool)) in SHELLS.iter().enumerate() {
        for (at, command) in FORBIDDEN_COMMANDS.iter().enumerate() {
            if index > 0 && (at + index) % 4 != 0 {
                continue;
            }
            let answer =
                asker(&world, *host).before(&format!("{index}-{at}"), tool, &json!({"command": command}));
            let reason = refusal(&answer).unwrap_or_else(|| panic!("{host} passed: {command}"));
            assert!(is_ours(&reason), "{command}: {reason}");
            n_cases += 1;
        }
    }
    assert!(n_cases >= 150, "{n_cases} cases");
}

#[test]
fn without_an_intent_nothing_that_writes_passes() {
    let world = World::new();
    let root = world.sandbox.root().to_str().unwrap().to_owned();
    for (index, tool) in WRITING_TOOLS.iter().enumerate() {
        let input = tool.input(&root, "$W/src/a.ts");
        let answer = asker(&world, tool.host).before(&index.to_string(), tool.tool, &input);
        let reason = refusal(&answer).unwrap_or_else(|| panic!("{} {} passed", tool.host, tool.tool));
        assert!(reason.starts_with("No active intent selected. Please call select_active_intent first."));
    }
    for (host, tool) in SHELLS {
        for command in ["echo x > src/a.ts", "make", "python3 x.py", "npm run build", "git commit -m x"] {
            let answer = asker(&world, *host).before(command, tool, &json!({"command": command}));
            let reason = refusal(&answer).unwrap_or_else(|| panic!("{host} passed: {command}"));
            assert!(reason.starts_with("No active intent selected."), "{reason}");
        }
    }
}

#[test]
fn legitimate_calls_pass() {
    let world = world();
    let root = world.sandbox.root().to_str().unwrap().to_owned();
    for (index, tool) in WRITING_TOOLS.iter().enumerate() {
        for (at, path) in FINE_PATHS.iter().enumerate() {
            let input = tool.input(&root, path);
            let answer = asker(&world, tool.host).before(&format!("{index}-{at}"), tool.tool, &input);
            assert_eq!(refusal(&answer), None, "{} {} {path:?}", tool.host, tool.tool);
        }
    }
    for (host, tool) in SHELLS {
        for command in FINE_COMMANDS {
            let answer = asker(&world, *host).before(command, tool, &json!({"command": command}));
            assert_eq!(refusal(&answer), None, "{host}: {command}");
        }
    }
}

#[test]
fn reading_passes_without_an_intent_everywhere() {
    let world = World::new();
    for (host, tool, input) in [
        (Host::ClaudeCode, "Read", json!({"file_path": "/etc/hosts"})),
        (Host::ClaudeCode, "Grep", json!({"pattern": "x"})),
        (Host::ClaudeCode, "WebFetch", json!({"url": "https://example.org"})),
        (Host::ClaudeCode, "TodoWrite", json!({"todos": []})),
        (Host::ClaudeCode, "Agent", json!({"prompt": "x"})),
        (Host::VsCode, "read_file", json!({"filePath": "lib/c.ts"})),
        (Host::VsCode, "list_dir", json!({"path": "lib"})),
        (Host::CopilotCli, "view", json!({"path": "lib/c.ts"})),
        (Host::Gemini, "read_file", json!({"file_path": "lib/c.ts"})),
        (Host::Cursor, "Read", json!({"file_path": "lib/c.ts"})),
        (Host::Codex, "update_plan", json!({"plan": []})),
        (Host::Codex, "Bash", json!({"command": "git log --oneline | head"})),
        (Host::Qwen, "read_file", json!({"file_path": "lib/c.ts"})),
        (Host::ClaudeCode, "mcp__github__get_issue", json!({"number": 7})),
    ] {
        assert_eq!(refusal(&asker(&world, host).before(tool, tool, &input)), None, "{host} {tool}");
    }
}
