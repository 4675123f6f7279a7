//! What a command leaves in its scope that runs programs later is named after it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::workspace::{Workspace, said};

#[test]
fn a_command_that_leaves_nothing_dangerous_gets_no_message() {
    let workspace = Workspace::new();
    workspace.write("src/a", "");
    for line in
        ["true", "echo x > src/b; mkdir src/c; ln src/b src/c/b; rm src/a", "mkdir -p src/.github/workflows"]
    {
        assert_eq!(said(&workspace.line("--write src", line)), "", "{line}");
    }
}

#[test]
fn new_repositories_settings_and_links_in_the_scope_are_named() {
    let workspace = Workspace::new();
    // More files than the survey checks beforehand, so that the link among them is not held.
    for n in 0..200 {
        workspace.write(&format!("src/many/{n}"), "");
    }
    workspace.write("out/twin", "original\n");
    fs::create_dir(workspace.root().join("src/zz")).unwrap();
    fs::hard_link(workspace.root().join("out/twin"), workspace.root().join("src/zz/twin")).unwrap();
    for (line, expected) in [
        ("git init -q src/new", "src/new/.git"),
        ("mkdir -p src/x/.git && echo '[core]' > src/x/.git/config", "src/x/.git"),
        (
            "mkdir -p src/deep/er/.claude && echo '{}' > src/deep/er/.claude/settings.json",
            "src/deep/er/.claude",
        ),
        ("mkdir -p src/.github/hooks && echo '{}' > src/.github/hooks/a.json", "src/.github/hooks"),
        ("echo changed >> src/zz/twin", "src/zz/twin"),
    ] {
        let output = workspace.line("--write src", line);
        let path = format!("`{}`", workspace.root().join(expected).display());
        assert!(said(&output).contains(&path) && output.status.success(), "{line}: {}", said(&output));
    }
    let output = workspace.line("--write out/report.txt", "echo x > out/report.txt; echo x > out/beside");
    assert!(said(&output).contains("out/beside`"), "{}", said(&output));
}

#[test]
fn a_new_start_up_file_of_a_home_in_scope_is_named() {
    let workspace = Workspace::new();
    let home = workspace.home();
    let mut command = workspace.run(&format!("--write {}", home.display()));
    let output = command.args(["sh", "-c", "echo x > ~/.zshenv; echo x > ~/notes"]).output().unwrap();
    let said = said(&output);
    assert!(said.contains("when they start: `") && said.contains("/.zshenv`"), "{said}");
    assert!(!said.contains("notes"), "{said}");
}

#[test]
fn names_that_a_hook_plants_in_the_git_folder_are_named() {
    let workspace = Workspace::new();
    let git = |line: &str| {
        let output = workspace.program("sh").args(["-c", line]).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    };
    git("git init -q -b main && git config user.email a@b && git config user.name x && git add -A");
    let hook = workspace.root().join(".git/hooks/pre-commit");
    let plants = "#!/bin/sh\necho /tmp/evil > .git/commondir.new\nmkdir -p .git/modules/m/hooks\n\
                  echo x > .git/modules/m/hooks/post-checkout\n";
    fs::write(&hook, plants).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let output =
        workspace.run("--write src").args(["git", "commit", "-q", "--allow-empty", "-m", "x"]).output();
    let output = output.unwrap();
    assert!(output.status.success() && said(&output).contains("hooks/post-checkout`"), "{}", said(&output));
    // The next command that is not git alone finds the folder read-only.
    let refused = workspace.line("--write src", "echo x > .git/commondir");
    assert!(!refused.status.success() && !workspace.exists(".git/commondir"), "{}", said(&refused));
}
