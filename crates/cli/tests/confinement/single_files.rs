//! A scope of one file works with tools that replace it by a rename.

use crate::workspace::{Workspace, said};

#[test]
fn tools_that_replace_a_file_work_on_a_scope_of_just_that_file() {
    let workspace = Workspace::new();
    workspace.write("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.write("src/lib.rs", "");
    workspace.write("dep/Cargo.toml", "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.write("dep/src/lib.rs", "");
    workspace.write("package.json", "{\"name\":\"x\",\"version\":\"1.0.0\"}\n");
    for (file, line, expected) in [
        ("package.json", "sed -i 's/1.0.0/2.0.0/' package.json", "2.0.0"),
        ("package.json", "perl -i -pe 's/2.0.0/3.0.0/' package.json", "3.0.0"),
        ("package.json", "npm version --no-git-tag-version 4.0.0", "4.0.0"),
        ("Cargo.toml", "sed -i 's/0.1.0/0.2.0/' Cargo.toml", "0.2.0"),
    ] {
        let output = workspace.line(&format!("--write {file}"), line);
        assert!(
            output.status.success() && workspace.read(file).contains(expected),
            "{line}: {}",
            said(&output)
        );
    }
    let output = workspace
        .run("--write Cargo.toml")
        .args(["cargo", "add", "--offline", "--path", "dep"])
        .env("HOME", std::env::var_os("HOME").unwrap())
        .output()
        .unwrap();
    assert!(workspace.read("Cargo.toml").contains("dep"), "{}", said(&output));
    // The other files of the folder stay.
    let output = workspace.line(
        "--write package.json",
        "echo x >> Cargo.toml; rm Cargo.toml; mv src away; echo x > src/lib.rs; mkdir .claude/x; echo x > .mcp.json; true",
    );
    assert!(
        workspace.read("Cargo.toml").contains("0.2.0")
            && workspace.exists("src/lib.rs")
            && workspace.read("src/lib.rs").is_empty(),
        "{}",
        said(&output)
    );
}

#[test]
fn a_file_that_does_not_exist_yet_can_be_made() {
    let workspace = Workspace::new();
    let output = workspace.line("--write out/report.txt", "echo x > out/report.txt");
    assert_eq!(workspace.read("out/report.txt"), "x\n", "{}", said(&output));
}
