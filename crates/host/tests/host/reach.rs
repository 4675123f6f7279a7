//! Tests of the bounds of a call, in each host's own field names.

use host::{Host, Reach, reach, tool_call};
use serde_json::{Value, json};

#[track_caller]
fn check(host: Host, tool: &str, input: &Value, expected: &Reach) {
    let call = tool_call(host, tool, input.clone());
    assert_eq!(reach(host, &call).as_ref(), Some(expected), "{host} {tool} {input}");
}

fn content(lines: bool) -> Reach {
    Reach::Content { folders: vec![], includes: vec![], limit: None, ignored: false, lines }
}

#[test]
fn a_search_that_names_no_bound_has_none() {
    for (host, tool, input, lines) in [
        (Host::VsCode, "grep_search", json!({"query": "x", "isRegexp": false}), true),
        (Host::ClaudeCode, "Grep", json!({"pattern": "x"}), false),
        (Host::ClaudeCode, "Grep", json!({"pattern": "x", "output_mode": "content"}), true),
        (Host::CopilotCli, "grep", json!({"pattern": "x", "output_mode": "content"}), true),
        (Host::Cursor, "Grep", json!({"pattern": "x"}), false),
        (Host::Gemini, "grep_search", json!({"pattern": "x"}), true),
        (Host::Gemini, "search_file_content", json!({"pattern": "x", "names_only": true}), false),
        (Host::Qwen, "grep_search", json!({"pattern": "x"}), true),
        (Host::Raw, "grep_search", json!({"query": "x"}), true),
    ] {
        check(host, tool, &input, &content(lines));
    }
}

#[test]
fn every_bound_is_read_under_the_name_its_host_gives_it() {
    let bounded = |folders: &[&str], includes: &[&str], limit, ignored| Reach::Content {
        folders: folders.iter().map(|&text| text.to_owned()).collect(),
        includes: includes.iter().map(|&text| text.to_owned()).collect(),
        limit,
        ignored,
        lines: true,
    };
    let vscode =
        json!({"query": "x", "includePattern": "src/**", "maxResults": 20, "includeIgnoredFiles": true});
    check(Host::VsCode, "grep_search", &vscode, &bounded(&[], &["src/**"], Some(20), true));
    let claude = json!({"pattern": "x", "path": "src", "glob": "*.rs", "type": "rust", "head_limit": 0, "output_mode": "content"});
    check(Host::ClaudeCode, "Grep", &claude, &bounded(&["src"], &["*.rs", "rust"], Some(u64::MAX), false));
    let gemini = json!({"pattern": "x", "dir_path": "src", "include": "*.rs", "total_max_matches": 5, "no_ignore": true});
    check(Host::Gemini, "grep_search", &gemini, &bounded(&["src"], &["*.rs"], Some(5), true));
    let qwen = json!({"pattern": "x", "path": "src", "glob": "*.rs", "limit": 5});
    check(Host::Qwen, "grep_search", &qwen, &bounded(&["src"], &["*.rs"], Some(5), false));
}

#[test]
fn tools_that_list_files_say_which() {
    for (host, tool, input, folders, patterns) in [
        (Host::VsCode, "file_search", json!({"query": "*"}), vec![], vec!["**/*"]),
        (Host::VsCode, "file_search", json!({"query": "src/*.ts"}), vec![], vec!["src/*.ts"]),
        (Host::ClaudeCode, "Glob", json!({"pattern": "**/*", "path": "src"}), vec!["src"], vec!["**/*"]),
        (
            Host::Cursor,
            "Glob",
            json!({"glob_pattern": "**/*", "target_directory": "src"}),
            vec!["src"],
            vec!["**/*"],
        ),
        (Host::Gemini, "read_many_files", json!({"include": ["**/*", "a.md"]}), vec![], vec!["**/*", "a.md"]),
    ] {
        let texts = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
        let expected =
            Reach::Files { folders: texts(folders), patterns: texts(patterns), limit: None, ignored: false };
        check(host, tool, &input, &expected);
    }
    let glob = json!({"pattern": "**/*", "respect_git_ignore": false});
    assert!(matches!(
        reach(Host::Gemini, &tool_call(Host::Gemini, "glob", glob)),
        Some(Reach::Files { ignored: true, .. })
    ));
}

#[test]
fn a_part_of_a_file_is_told_from_the_whole() {
    for (host, tool, part) in [
        (Host::VsCode, "read_file", json!({"startLine": 1, "endLine": 9})),
        (Host::ClaudeCode, "Read", json!({"limit": 9})),
        (Host::ClaudeCode, "Read", json!({"offset": 9})),
        (Host::CopilotCli, "view", json!({"view_range": [1, 9]})),
        (Host::Cursor, "Read", json!({"limit": 9})),
        (Host::Gemini, "read_file", json!({"start_line": 1, "end_line": 9})),
        (Host::Qwen, "read_file", json!({"offset": 0, "limit": 9})),
    ] {
        check(host, tool, &part, &Reach::File { part: true });
        check(host, tool, &json!({}), &Reach::File { part: false });
    }
}

#[test]
fn pages_are_counted() {
    let input = json!({"urls": ["https://example.org/a", "https://example.org/b"], "query": "what"});
    check(Host::VsCode, "fetch_webpage", &input, &Reach::Pages { n_addresses: 2, question: true });
    let whole = json!({"urls": ["https://example.org/a"], "query": ""});
    check(Host::VsCode, "fetch_webpage", &whole, &Reach::Pages { n_addresses: 1, question: false });
}

#[test]
fn other_tools_have_nothing_to_bound_them() {
    for (host, tool) in
        [(Host::ClaudeCode, "WebFetch"), (Host::VsCode, "semantic_search"), (Host::Codex, "Bash")]
    {
        assert_eq!(reach(host, &tool_call(host, tool, json!({"query": "x"}))), None, "{tool}");
    }
}
