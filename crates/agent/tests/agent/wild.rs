//! Agent files as users share them: all of them load, with their tools.

use agent::registry::{AgentFile, load_file};
use agent::{Format, ToolNames};
use tempfile::TempDir;

/// The name of a file, its bytes, the tools it allows (`*` for all) and the number of its warnings.
const WILD: &[(&str, &[u8], &str, usize)] = &[
    // Claude Code, from its own generator and from collections.
    ("code-reviewer.md", b"---\nname: code-reviewer\ndescription: Expert code review specialist. Use PROACTIVELY after writing code.\ntools: Read, Grep, Glob, Bash\nmodel: inherit\n---\n\nYou are a senior code reviewer.\n", "Read,Grep,Glob,Bash", 0),
    ("debugger.md", b"---\nname: debugger\ndescription: Debugging specialist\ntools: [Read, Edit, Bash, Grep, Glob]\n---\nYou debug.\n", "Read,Edit,Bash,Grep,Glob", 0),
    ("data.md", b"---\nname: data-scientist\ndescription: Data analysis expert\ntools:\n  - Bash\n  - Read\n  - Write\nmodel: sonnet\n---\nSQL.\n", "Bash,Read,Write", 0),
    ("json.md", b"---\nname: json\ndescription: \"JSON list\"\ntools: [\"Read\", \"mcp__github__get_issue\"]\nmodel: opus\ncolor: purple\n---\nx\n", "Read,mcp__github__get_issue", 0),
    ("colon.md", b"---\nname: colon\ndescription: Use this agent when: you need to review code: fast\nmodel: sonnet\ncolor: red\n---\nx\n", "*", 1),
    ("examples.md", br#"---
name: test-runner
description: Use this agent when you need to run tests. Examples:\n\n<example>\nContext: The user wrote a function.\nuser: "Please write a function"\nassistant: "Here is the function:"\n<commentary>\nUse the test-runner agent: it runs tests.\n</commentary>\n</example>
model: sonnet
color: green
---

You run tests.
"#, "*", 1),
    ("lines.md", b"---\nname: lines\ndescription: Use this agent to check. Examples:\n  <example>\n  Context: User asks\n  user: \"Check: this\"\n  assistant: \"I will\"\n  </example>\ntools: Read\n---\nx\n", "Read", 1),
    ("unindented.md", b"---\nname: unindented\ndescription: Use this. Examples:\n<example>\nuser: \"hi\"\n</example>\ntools: Read, Edit\n---\nx\n", "Read,Edit", 1),
    ("folded.md", b"---\nname: folded\ndescription: >\n  A long\n  description: with a colon\ntools: Bash\n---\nx\n", "Bash", 0),
    ("literal.md", b"---\nname: literal\ndescription: |\n  One line.\n  Another: one.\n---\nx\n", "*", 0),
    ("crlf.md", b"---\r\nname: crlf\r\ndescription: From Windows\r\ntools: Read, Write\r\n---\r\n\r\nYou write.\r\n", "Read,Write", 0),
    ("bom.md", b"\xef\xbb\xbf---\nname: bom\ndescription: With a mark\ntools: Read\n---\nx\n", "Read", 0),
    ("nothing.md", b"# Release manager\n\nCuts releases and writes notes.\n\n## Steps\n", "*", 1),
    ("nameless.md", b"---\ndescription: Has no name\n---\nx\n", "*", 0),
    ("star.md", b"---\nname: star\ndescription: All tools\ntools: '*'\n---\nx\n", "*", 0),
    ("bare-star.md", b"---\nname: bare-star\ndescription: All tools\ntools: *\n---\nx\n", "*", 1),
    ("empty-tools.md", b"---\nname: empty-tools\ndescription: Left open\ntools:\nmodel: haiku\n---\nx\n", "*", 0),
    ("no-tools.md", b"---\nname: no-tools\ndescription: Only talks\ntools: []\n---\nx\n", "", 0),
    ("spaces.md", b"---\nname: spaces\ndescription: Words\ntools: Read Grep Glob\n---\nx\n", "Read,Grep,Glob", 0),
    ("narrow.md", b"---\nname: narrow\ndescription: Narrow\ntools: Bash(git add:*, git commit:*), Read\n---\nx\n", "Bash(git add:*, git commit:*),Read", 0),
    ("more-keys.md", b"---\nname: more-keys\ndescription: New keys\npermissionMode: plan\nskills: a, b\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./x.sh\nmaxTurns: 20\nmemory: user\n---\nx\n", "*", 0),
    ("quotes.md", b"---\nname: quotes\ndescription: \"Say \"hello\" to people\"\ntools: Read\n---\nx\n", "Read", 1),
    ("opencode.md", b"---\ndescription: OpenCode's way\nmode: subagent\nmodel: anthropic/claude-sonnet-4\ntemperature: 0.1\ntools:\n  write: false\n  edit: false\n  bash: true\n---\nx\n", "bash", 0),
    ("tabs.md", b"---\nname:\ttabs\ndescription:\tWith tabs\ntools:\tRead\n---\nx\n", "Read", 0),
    // VS Code and Copilot.
    ("planner.agent.md", b"---\ndescription: Generate an implementation plan.\ntools: ['search', 'fetch', 'githubRepo', 'usages']\nmodel: Claude Sonnet 4\nhandoffs:\n  - label: Implement Plan\n    agent: agent\n    prompt: Implement the plan outlined above.\n    send: false\n---\n# Planning\n", "search,fetch,githubRepo,usages", 0),
    ("sets.agent.md", b"---\nname: sets\ndescription: Sets of tools\nargument-hint: what to do\ntools: ['edit/editFiles', 'execute/runInTerminal', 'read/problems', 'github/*', 'Microsoft Docs/*']\ntarget: vscode\n---\nx\n", "edit/editFiles,execute/runInTerminal,read/problems,github/*,Microsoft Docs/*", 0),
    ("server.agent.md", b"---\nname: server\ndescription: Brings a server\ntools: [\"read\", \"playwright/*\"]\nmcp-servers:\n  playwright:\n    type: local\n    command: npx\n    args: ['@playwright/mcp@latest']\n    tools: [\"*\"]\n---\nx\n", "read,playwright/*", 0),
    ("fenced.agent.md", b"````chatagent\n---\ndescription: Within a fence\ntools: ['read']\n---\nx\n````\n", "read", 0),
    ("body.agent.md", b"You are an assistant that helps with documentation.\n", "*", 1),
    ("My Great Agent.agent.md", b"---\ndescription: A name with spaces\n---\nx\n", "*", 0),
    ("models.agent.md", b"---\ndescription: Several models\nmodel: ['GPT-5 (copilot)', 'Claude Sonnet 4.5 (copilot)']\nuser-invokable: true\n---\nx\n", "*", 0),
    ("emoji.agent.md", "---\ndescription: '🚀 Ships — fast'\ntools: ['shell']\n---\n# 🚀\n".as_bytes(), "shell", 0),
];

#[test]
fn agent_files_as_people_share_them_load_and_their_tools_are_understood() {
    let folder = TempDir::new().unwrap();
    let mut wrong = Vec::new();
    for (name, bytes, tools, n_warnings) in WILD {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let format = if name.ends_with(".agent.md") { Format::AgentMd } else { Format::Claude };
        let file = AgentFile { path, shown: (*name).to_owned(), format };
        let loaded = load_file(&file, &ToolNames::default());
        let told: String = loaded.problems.iter().map(ToString::to_string).collect();
        let found = loaded.document.map(|document| {
            let allowed = document.definition.tools.allowed;
            allowed.map_or_else(|| "*".to_owned(), |names| names.join(","))
        });
        if found.as_deref() != Some(tools) || loaded.problems.len() != *n_warnings {
            wrong.push(format!("{name}: {found:?}\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
